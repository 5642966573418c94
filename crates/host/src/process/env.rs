//! The environment of agents and verification commands: an allow-list, everything else stays out.
//!
//! Invariants: nothing named `GIT_*` passes, not even by request, because it would aim git at
//! another repository; no credential passes unless its name is asked for (an adapter names its
//! agent's keys, verification asks for none). Absent on purpose: reading the environment.

use std::ffi::{OsStr, OsString};

/// What passes; a name that ends in `*` stands for every name that begins so.
///
/// Sockets of the user's session (`SSH_AUTH_SOCK`, `DBUS_*`, `XDG_RUNTIME_DIR`) are left out: a
/// session that can push or open the key ring is not isolated. `LD_PRELOAD` and `MAKEFLAGS` are left
/// out because they carry the parent's own instrumentation and descriptors into the child.
pub(crate) const ALLOWED: &[&str] = &[
    // The user and the machine.
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "TZ",
    "HOSTNAME",
    "CI",
    // Language and terminal.
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TERM",
    "NO_COLOR",
    // Where programs keep their own files.
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS",
    // The network.
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "DOCKER_HOST",
    // Rust, Go, Java, .NET.
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "GOPATH",
    "GOROOT",
    "GOFLAGS",
    "GOPROXY",
    "GOCACHE",
    "GOMODCACHE",
    "GOTOOLCHAIN",
    "JAVA_HOME",
    "JDK_HOME",
    "MAVEN_HOME",
    "M2_HOME",
    "MAVEN_OPTS",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "GRADLE_OPTS",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "SDKMAN_DIR",
    "KOTLIN_HOME",
    "DOTNET_*",
    "NUGET_PACKAGES",
    // JavaScript, Python, Ruby, PHP and the rest.
    "NVM_DIR",
    "NVM_BIN",
    "FNM_DIR",
    "FNM_MULTISHELL_PATH",
    "VOLTA_HOME",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "COREPACK_HOME",
    "NODE_PATH",
    "NODE_OPTIONS",
    "npm_config_cache",
    "npm_config_prefix",
    "npm_config_registry",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "CONDA_EXE",
    "POETRY_HOME",
    "PYTHONPATH",
    "PIP_INDEX_URL",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "UV_INDEX_URL",
    "GEM_HOME",
    "GEM_PATH",
    "BUNDLE_PATH",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "COMPOSER_HOME",
    "MIX_HOME",
    "HEX_HOME",
    "OPAMROOT",
    "OPAM_SWITCH_PREFIX",
    "GHCUP_INSTALL_BASE_PREFIX",
    "STACK_ROOT",
    "PLAYWRIGHT_BROWSERS_PATH",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "MISE_CONFIG_DIR",
    "HOMEBREW_*",
    "NIX_*",
    "IN_NIX_SHELL",
    // C and C++.
    "CC",
    "CXX",
    "AR",
    "LD",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "CPATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
    "OPENSSL_DIR",
    "LIBCLANG_PATH",
    "SDKROOT",
    "DEVELOPER_DIR",
];

/// Returns what of the host's environment passes, in the host's order.
///
/// `extra` names more variables, in the same notation as `ALLOWED`.
pub fn allowed(host: &[(OsString, OsString)], extra: &[&str]) -> Vec<(OsString, OsString)> {
    let passes = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        !name.starts_with(b"GIT_")
            && ALLOWED
                .iter()
                .chain(extra)
                .any(|pattern| matches(pattern, name))
    };
    host.iter()
        .filter(|(name, _)| passes(name))
        .cloned()
        .collect()
}

/// Returns whether a name fits a pattern in the notation of `ALLOWED`.
pub fn matches(pattern: &str, name: &[u8]) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix.as_bytes()),
        None => name == pattern.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, extra: &[&str], passes: bool) {
        let host = [(OsString::from(name), OsString::from("v"))];
        assert_eq!(
            allowed(&host, extra).len(),
            usize::from(passes),
            "{name} with {extra:?}"
        );
    }

    #[test]
    fn only_what_is_listed_or_asked_for_passes() {
        for (name, extra, passes) in [
            ("PATH", &[][..], true),
            ("LC_TIME", &[], true),
            ("LC", &[], false),
            ("PATHX", &[], false),
            ("path", &[], false),
            ("DOTNET_ROOT", &[], true),
            ("SSH_AUTH_SOCK", &[], false),
            ("AWS_SECRET_ACCESS_KEY", &[], false),
            ("MY_AGENT_KEY", &[], false),
            ("MY_AGENT_KEY", &["MY_AGENT_*"], true),
            ("GIT_DIR", &[], false),
            ("GIT_DIR", &["GIT_DIR", "*"], false),
            ("GATEWALK_RUN", &[], false),
        ] {
            check(name, extra, passes);
        }
    }

    #[test]
    fn no_listed_name_or_pattern_lets_a_git_variable_or_a_secret_in() {
        for name in ALLOWED {
            assert!(!name.starts_with("GIT"), "{name}");
            for word in ["TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "API_KEY"] {
                assert!(!name.contains(word), "{name}");
            }
            assert!(
                name.len() > 1 && !name.trim_end_matches('*').contains('*'),
                "{name}"
            );
        }
    }
}
