use super::*;

/// Secrets are put together here, so that no scanner, ours included, finds one in this file.
fn secret(parts: &[&str]) -> String {
    parts.concat()
}

/// What issuers put behind the letters that are theirs.
const HEX_32: &str = "4e9a1c7b30d85f2611ce7f0b93a4d268";
const UPPER_32: &str = "Q7PLM2VX9RTB4KWDYH3CF6GZN8JSUA5E";
const MIXED_40: &str = "x8Kq2LmZ7vTn4RbW9sYd3FgH6jPc1AeU5oNiQwEr";

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
        (
            secret(&["-----BEGIN PRIVATE ", "KEY-----\\nMIIEvQ", body, "\\n"]),
            "private-key",
        ),
        (secret(&["da", "pi", HEX_32]), "databricks-token"),
        (secret(&["dp", ".pt.", MIXED_40, "x8K"]), "doppler-token"),
        (secret(&["dp", ".st.prd.", MIXED_40]), "doppler-token"),
        (secret(&["sb", "p_", HEX_32, "7a3f90c1"]), "supabase-token"),
        (secret(&["sb_", "secret_", MIXED_40]), "supabase-token"),
        (secret(&["sec", "ret_", MIXED_40, "x8K"]), "notion-secret"),
        (
            secret(&["NRAK", "-Q7PLM2VX9RTB4KWDYH3CF6GZN8J"]),
            "new-relic-key",
        ),
        (secret(&["FlyV1 fm", "2_", MIXED_40, MIXED_40]), "fly-token"),
        (secret(&["nf", "p_", MIXED_40]), "netlify-token"),
        (secret(&["pscale", "_tkn_", MIXED_40]), "planetscale-token"),
        (
            secret(&["pat", "x8Kq2LmZ7vTn4R.", HEX_32, HEX_32]),
            "airtable-token",
        ),
        (secret(&["pu", "l-", HEX_32, "7a3f90c1"]), "pulumi-token"),
        (
            secret(&["dt0", "c01.Q7PLM2VX9RTB4KWDYH3CF6GZ.", UPPER_32, UPPER_32]),
            "dynatrace-token",
        ),
        (
            secret(&["CCI", "PAT_x8Kq2LmZ7vTn4RbW9sYd3F_", HEX_32, "7a3f90c1"]),
            "circleci-token",
        ),
        (
            secret(&["ops_", "eyJ", MIXED_40, MIXED_40, MIXED_40]),
            "1password-token",
        ),
        (secret(&["nv", "api-", MIXED_40, MIXED_40]), "nvidia-key"),
        (
            secret(&["lsv2", "_pt_", HEX_32, "_7a3f90c1d2"]),
            "langsmith-key",
        ),
        (
            secret(&["pc", "sk_x8Kq2_", MIXED_40, MIXED_40]),
            "pinecone-key",
        ),
        (
            secret(&["tv", "ly-dev-x8Kq2LmZ7vTn4RbW9sYd3FgH6jPc1AeU"]),
            "tavily-key",
        ),
        (secret(&["wh", "sec_", MIXED_40]), "webhook-secret"),
        (
            secret(&["sk", ".eyJ", MIXED_40, ".", MIXED_40]),
            "mapbox-token",
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

/// Returns what a shape stands for: `d` a figure, `h` one of sixteen, `u` a large letter or figure, `a` any letter or figure,
/// `s` one that is safe in an address; each followed by how many in brackets.
fn drawn(shape: &str, next: &mut impl FnMut() -> usize) -> String {
    const SAFE: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    const LARGE: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut out = String::new();
    for part in shape.split('|') {
        let counted = part.strip_suffix(')').and_then(|part| part.split_once('('));
        let Some((kind, count)) = counted else {
            out.push_str(part);
            continue;
        };
        let all = match kind {
            "d" => &SAFE[..10],
            "h" => &SAFE[..16],
            "u" => LARGE,
            "a" => &SAFE[..62],
            _ => SAFE,
        };
        (0..count.parse().unwrap()).for_each(|_| out.push(char::from(all[next() % all.len()])));
    }
    out
}

#[test]
fn whatever_an_issuer_draws_is_found_by_its_shape() {
    let mut state: u64 = 42;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 40).unwrap()
    };
    for (rule, shape) in [
        ("slack-token", "xox|b-|d(11)|-|d(13)|-|a(24)"),
        ("slack-token", "xox|p-|d(12)|-|d(12)|-|d(13)|-|h(32)"),
        ("slack-token", "xox|e.xox|p-1-|u(163)"),
        ("slack-token", "xox|e-1-|u(146)"),
        ("slack-app-token", "xapp|-1-A|u(10)|-|d(13)|-|h(64)"),
        (
            "slack-webhook",
            "https://hooks.slack|.com/services/T|u(10)|/B|u(10)|/|a(24)",
        ),
        (
            "slack-webhook",
            "https://hooks.slack|.com/workflows/T|u(10)|/A|u(10)|/|d(18)|/|a(24)",
        ),
        (
            "slack-webhook",
            "https://hooks.slack|.com/triggers/T|u(10)|/|d(13)|/|h(32)",
        ),
        ("telegram-token", "d(8)|:AA|s(33)"),
        ("telegram-token", "d(10)|:AA|s(33)"),
        ("google-api-key", "AI|za|s(35)"),
        ("google-oauth-secret", "GOC|SPX-|s(28)"),
    ] {
        for _ in 0..400 {
            let value = drawn(shape, &mut next);
            let text = format!("call(\"{value}\")\n");
            assert!(
                find(&text).iter().any(|found| found.rule == rule),
                "{rule}: {value}"
            );
            assert!(!redact(&text).contains(&value), "{rule}: {value}");
        }
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
        "see -----BEGIN PRIVATE KEY-----\\n in the docs",
        "split_on('-----BEGIN PRIVATE KEY-----\\n', '-----END PRIVATE KEY-----\\n')",
        "dapi-gateway-for-the-internal-services-of-ours",
        "dapi4e9a1c7b30d85f26",
        "dp.pt.coordinates.of.the.first.display.point",
        "sbp_single_board_program_counter_in_the_kernel",
        "sb_secret_of_the_storybook_addon",
        "secret_santaGeneratorForTheWholeOfTheCompanyPartyy",
        "secret_name_of_the_kubernetes_resource_in_the_cluster",
        "NRAK-the-name-of-a-river-in-the-north",
        "FlyV1 fm2_ is what tokens begin with",
        "nfp_nonFarmPayrollsOfTheLastMonthByState",
        "pscale_tkn_ and a name",
        "patch4e9a1c7b30d.4e9a1c7b30d85f26",
        "pul-request-template-for-the-repository",
        "dt0c01.sample.of-a-date-time",
        "CCIPAT_is_the_prefix_of_personal_tokens",
        "ops_eyJ is base64",
        "nvapi-documentation-and-headers-for-the-display-driver",
        "lsv2_pt_br_translation_of_the_landing_page",
        "pcsk_index_of_the_packet_socket",
        "tvly-search-tool-for-the-agent",
        "whsec_is_read_from_the_environment",
        "sk.eyJhbGciOiJub25lIn0",
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

#[test]
fn whatever_a_pattern_finds_has_a_hint_of_its_rule() {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for rule in &RULES {
        // What looks around has no texts of its own to draw.
        let around = ["(?-u:\\b)", "(?m)^", "(?m)", "\\s*$", "\\r?$"];
        let pattern = around
            .iter()
            .fold(rule.pattern.as_str().to_owned(), |pattern, sign| {
                pattern.replace(sign, "")
            });
        let texts = proptest::string::string_regex(&pattern).expect(rule.name);
        for _ in 0..50 {
            // Nobody writes these letters in a name, which only tables of Unicode take for others.
            let text = texts.new_tree(&mut runner).unwrap().current();
            let text = text.replace('ſ', "s").replace('\u{212a}', "k");
            let found = possible_rules(&text).any(|possible| possible.name == rule.name);
            assert!(found, "{}: {text:?}", rule.name);
        }
    }
}
