use super::*;

#[test]
fn control_paths_are_known_in_every_spelling() {
    for (path, regular, want) in [
        (".github/workflows/ci.yml", true, true),
        (".GitHub/Workflows/ci.yml", true, true),
        (".github/ISSUE_TEMPLATE/a.md", true, false),
        (".gatewalk/verification.yml", true, true),
        (".GATEWALK/verification.yml", true, true),
        (".gate\u{200c}walk/verification.yml", true, true),
        ("sub/.gatewalk/verification.yml", true, true),
        (".specfuse/verification.yml", true, true),
        (".gаtewalk/verification.yml", true, true),
        ("．gatewalk/verification.yml", true, true),
        (".gitattrіbutes", true, true),
        (".gatewalk", false, true),
        (".github", false, true),
        ("sub/.claude", false, true),
        ("sub/.claude/settings.json", true, true),
        ("docs", false, false),
        ("sub/.gitattributes", true, true),
        ("gatewalk/x", true, false),
        ("src/main.rs", true, false),
    ] {
        let path = folded(path);
        let got = CONTROL_SET.is_match(&path) || !regular && replaces_control_directory(&path);
        assert_eq!(got, want, "{path}");
    }
}
