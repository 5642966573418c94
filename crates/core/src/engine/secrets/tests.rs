use super::*;

/// Secrets are put together here, so that no scanner, ours included, finds one in this file.
fn secret(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn issued_shapes_and_random_values_beside_names_of_secrets_are_found() {
    let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2g";
    for (text, rule) in [
        (secret(&["key: AKIA", "Q7PLM2VX9RTB4KWD"]), "aws-access-key"),
        (
            secret(&["gh", "p_", "x8Kq2LmZ7vTn4RbW9sYd3FgH6jPc1AeU5oNi"]),
            "github-token",
        ),
        (secret(&["glp", "at-x8Kq2LmZ7vTn4RbW9sYd"]), "gitlab-token"),
        (
            secret(&["xox", "b-83726451-x8Kq2LmZ7vTn4RbW"]),
            "slack-token",
        ),
        (secret(&["sk_", "live_x8Kq2LmZ7vTn4RbW9sYd"]), "stripe-key"),
        (
            secret(&["sk-", "ant-api03-x8Kq2LmZ7vTn4RbW9sYd3FgH"]),
            "anthropic-key",
        ),
        (
            secret(&["npm", "_x8Kq2LmZ7vTn4RbW9sYd3FgH6jPc1AeU5oNi"]),
            "npm-token",
        ),
        (
            secret(&["-----BEGIN OPENSSH PRIVATE ", "KEY-----\n", body, "\n"]),
            "private-key",
        ),
        (
            secret(&["postgres://app:", "x8Kq2LmZ7v", "@db.internal/app"]),
            "password-in-url",
        ),
        (
            secret(&["DB_PASSWORD = \"", "x8Kq2LmZ7vTn4RbW9s", "\""]),
            "secret-value",
        ),
        (
            secret(&["\"apiKey\": \"", "x8Kq2LmZ7vTn4RbW9s", "\","]),
            "secret-value",
        ),
        (
            secret(&["DB_PASSWORD=", "x8Kq2LmZ7vTn4RbW9s"]),
            "plain-value",
        ),
        (
            secret(&["export API_TOKEN=", "x8Kq2LmZ7vTn", "\n"]),
            "plain-value",
        ),
        (
            secret(&["  client_secret: ", "x8Kq2LmZ7vTn4R"]),
            "plain-value",
        ),
        (
            secret(&["password = \"", "x8Kq2LmZ", "\""]),
            "short-password",
        ),
        (
            secret(&["//registry.npmjs.org/:_auth", "Token=x8Kq2LmZ7vTn4RbW9s"]),
            "npm-auth",
        ),
        (
            secret(&["hf", "_x8KqLmZvTnRbWsYdFgHjPcAeUoNiQwErTy"]),
            "hugging-face-token",
        ),
        (secret(&["hv", "s.x8Kq2LmZ7vTn4RbW9sYd3FgH"]), "vault-token"),
        (
            secret(&["GOC", "SPX-x8Kq2LmZ7vTn4RbW9sYd3FgH6jPc"]),
            "google-oauth-secret",
        ),
    ] {
        let found = find(&text);
        assert_eq!(
            found.iter().map(|f| f.rule).collect::<Vec<_>>(),
            [rule],
            "{text}"
        );
        let shown = redact(&text);
        assert!(
            find(&shown).is_empty() && shown.contains("withheld"),
            "{shown}"
        );
        assert!(
            find(&format!("{} # {ALLOWANCE}", text.trim_end())).is_empty(),
            "{text}"
        );
        let baseline = format!("# ours\n{rule} {}  # test key\n", found[0].digest);
        assert!(outside(&baseline, &found).is_empty());
        assert_eq!(outside("", &found).len(), 1);
    }
}

#[test]
fn what_only_resembles_a_secret_is_left_alone() {
    for text in [
        "token = os.environ[\"GITHUB_TOKEN\"]",
        "password: \"${DB_PASSWORD}\"",
        "api_key = \"your-api-key-goes-here-1\"",
        "AKIAIOSFODNN7EXAMPLE",
        "sha256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
        "checksum = \"d6f0b1e4c2a39875\"",
        "let token_kind = \"identifier_or_keyword\";",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n",
        "task-management-service-for-the-team",
        "https://user@example.com/x",
        "git://host:path@x",
        "secret_name: \"projects/my-project/secrets/db\"",
        "password = \"aaaaaaaaaaaaaaaaaaaa1\"",
        "sk-is-the-slovak-language-code",
        "password = \"hunter2!x\"",
        "password: \"Passw0rd1A\"",
        "token: OAuth2TokenProvider",
        "token: Base64EncodedString2",
        "    token = parser_next_token2",
        "secret: arn-aws-secretsmanager",
        "access_key: AccessKeyV2Type",
        "password: correcthorsebattery",
        "api_key = build_api_key_v1_2",
        "TOKEN_LIFETIME_SECONDS=86400",
        "token_url: https://auth.internal/token",
        "cancellation_token: CancellationToken2",
        "glsl-shader-compiler-for-the-web",
        "key-value-store-for-the-cache",
        "hash_of_the_token: sha256_hex_of_token",
    ] {
        assert_eq!(find(text), [], "{text}");
        assert_eq!(redact(text), text);
    }
}

#[test]
fn findings_name_their_line() {
    let text = secret(&["one\ntwo\nAK", "IAQ7PLM2VX9RTB4KWD\n"]);
    assert_eq!(find(&text)[0].line, 3);
}
