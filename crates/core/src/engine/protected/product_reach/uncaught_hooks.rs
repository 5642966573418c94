//! What Python is told to do with an error that nobody caught.

use crate::pattern::TextPattern;

/// Returns how often a text sets what is called for an error that nobody caught, where it may end the run otherwise: one that
/// only says more of the error leaves its end as it is.
pub(super) fn that_end(text: &str) -> usize {
    static SETS: TextPattern =
        TextPattern::new(r"\bsys\.excepthook\s*=(?:\s*(\w+)\s*(?:$|\n|#)|[^=\n])");
    static ENDS: TextPattern = TextPattern::new(
        r"(?i)(?:^|[^t])exit|\bquit\b|kill|\bexec|abort|ctypes|_thread|signal|\bposix\b|getattr",
    );
    /// How a program hands on how it ended.
    static HANDED_ON: TextPattern =
        TextPattern::new(r"\b(?:raise\s+SystemExit|sys\.exit)\(\s*\w*main\([^()\n]*\)\s*\)");
    /// What of it ends a run from wherever it is called; `sys.exit` and handlers of signals do where they are.
    static ENDS_FROM_ANYWHERE: TextPattern = TextPattern::new(
        r"(?i)_exit|\bquit\b|kill|\bexec|abort|ctypes|_thread|\bposix\b|getattr\((?:[^s]|s[^i])|raise_signal|alarm|itimer|(?:^|[^.\w])exit\b",
    );
    /// What gives others something to call.
    static GIVES: TextPattern = TextPattern::new(
        r"(?m)\bsetattr\(|\b(?:add(?:Handler|Filter)|set(?:Formatter|LoggerClass|LogRecordFactory)|dictConfig)\(|^\s*\w+(?:\.\w+)+\s*=[^=]",
    );
    let mut set = SETS.captures_iter(text).peekable();
    if set.peek().is_none() {
        return 0;
    }
    let text = &HANDED_ON.replace_all(text, "");
    let ends = ENDS.is_match(text);
    // What a class of the file does, or what is put into another's place, may be what the hook calls: a handler of logging ends
    // the run as well.
    let may_call = text.contains("class ")
        || GIVES.is_match(&SETS.replace_all(text, ""))
        || ENDS_FROM_ANYWHERE.is_match(text);
    let is_open = |found: &regex::Captures<'_>| {
        let body = found.get(1).and_then(|name| body_of(text, name.as_str()));
        body.is_none_or(|body| ends && (may_call || !only_tells(text, &body)))
    };
    set.filter(is_open).count()
}

/// Returns the lines of a function of Python without its head; nothing where the text has none of that name, or two.
fn body_of<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let head = format!("def {name}(");
    let mut parts = text.split(&*head);
    let (before, after) = (parts.next()?, parts.next()?);
    let indent = before.rsplit('\n').next()?;
    if parts.next().is_some() || !indent.trim().is_empty() {
        return None;
    }
    let inside = |line: &&str| {
        let deeper = line.len() - line.trim_start().len() > indent.len();
        line.trim().is_empty() || deeper
    };
    Some(after.lines().skip(1).take_while(inside).collect())
}

/// Returns whether lines call nothing but what tells of an error.
fn only_tells(text: &str, body: &[&str]) -> bool {
    static CALL: TextPattern = TextPattern::new(r"([A-Za-z_][\w.]*|[)\]}])\s*\(");
    static LOGGERS: TextPattern =
        TextPattern::new(r"(?m)^(\w+)\s*=\s*logging\.getLogger\([^()\n]*\)\s*$");
    static GIVES_NAMES: TextPattern = TextPattern::new(
        r"(?m)^\s*[\w.,*\[\] ]+[-+*/|&]?=[^=]|:=|\b(?:global|import|lambda|def)\b",
    );
    const KEYWORDS: [&str; 10] = [
        "if", "elif", "not", "and", "or", "in", "return", "for", "while", "is",
    ];
    const TELLING: [&str; 12] = [
        "print",
        "issubclass",
        "isinstance",
        "type",
        "str",
        "repr",
        "format",
        "sys.__excepthook__",
        "sys.stderr.write",
        "sys.stderr.flush",
        "\"\".join",
        "traceback.TracebackException",
    ];
    let given = |name: &str| {
        text.matches(&format!("{name} =")).count() + text.matches(&format!("{name}=")).count()
    };
    let loggers = LOGGERS.captures_iter(text).map(|found| found[1].to_owned());
    let loggers: Vec<String> = loggers.filter(|name| given(name) == 1).collect();
    let tells = |callee: &str| {
        let of = callee.split('.').next().unwrap_or_default();
        KEYWORDS.contains(&callee)
            || TELLING.contains(&callee) && !text.contains(&format!("def {callee}("))
            || ["logging", "traceback"].contains(&of)
            || loggers.iter().any(|logger| logger == of)
    };
    let body = body.join("\n");
    !GIVES_NAMES.is_match(&body)
        && CALL.captures_iter(&body).all(|found| tells(&found[1]))
        && !body.contains(['@', '['])
}
