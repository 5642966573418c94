//! What code can learn about the process that it runs in, by language. A table: what is a decision by such a fact is decided
//! beside it.

use crate::path_names::SCRIPT_ENDINGS;
use crate::pattern::TextPattern;

/// What files with some endings can ask.
pub(super) struct ProcessFacts {
    endings: &'static [&'static str],
    /// How the process was started. Entry points may decide by it.
    pub(super) own: TextPattern,
    /// Who calls, what is loaded beside it, how deep and how long it runs.
    pub(super) around: TextPattern,
    /// Ways of asking that are a custom and tell nothing of the work.
    pub(super) usual: TextPattern,
}

impl ProcessFacts {
    /// Returns what names the language: an ending of its files.
    pub(super) fn language(&self) -> &'static str {
        self.endings[0]
    }
}

/// Returns what a file with this ending can ask.
pub(super) fn of(extension: &str) -> Option<&'static ProcessFacts> {
    ROWS.iter().find(|row| row.endings.contains(&extension))
}

/// Variables that runners and builds set for what they start.
pub(super) static RUNNERS_OWN: TextPattern = TextPattern::new(
    r#"(?x)["'.\{$](?:MAKEFLAGS|MFLAGS|MAKELEVEL|CTEST_\w+|BATS_\w+|NODE_CHANNEL_FD|PYTHONDONTWRITEBYTECODE|TOX_\w+|NOX_\w+
        |RUST_TEST_\w+|GIT_CONFIG_(?:GLOBAL|NOSYSTEM)|DASHBOARD_TEST_FROM_CTEST|npm_(?:lifecycle|command)\w*|COVERAGE_\w+|LD_LIBRARY_PATH|LD_PRELOAD)\b
        | ["'`]ps(?:\s+|["'`]\s*,\s*\[?\s*["'`])(?:-\w*[eA]\w*|a?ux|ax)\b"#,
);

/// What asks whether tests are beside the product.
pub(super) static TESTS_BESIDE: TextPattern = TextPattern::new(
    r#"(?x)\b(?:exists|isdir|isfile|is_dir|find_spec|existsSync|Stat)\(\s*["'`](?:\./)?tests?["'`/] | ["']tests?["']\s+(?:not\s+)?in\s+os\.listdir\( |
        ["'`](?:\./)?\.(?:gatewalk|specfuse)["'`/][^\n]{0,30}\b(?:exists|is_dir|isdir|is_file)\b | \b(?:exists|isdir|isfile|existsSync|Stat)\([^\n]{0,60}["'`/]\.(?:gatewalk|specfuse)\b | /\s*["']tests?["']\s*\)\.(?:exists|is_dir)\("#,
);

static ROWS: [ProcessFacts; 8] = [
    ProcessFacts {
        endings: &["py", "pyx"],
        own: TextPattern::new(
            r#"(?x)\bsys\.(?:orig_argv|argv|executable|flags(?:\.\w+)?|_base_executable|_xoptions)\b | \bos\.(?:getppid|getpgrp|getpgid|getsid|ttyname)\( |
            \bos\.fstat\(\s*[012]\s*\) | \blen\(\s*os\.environ\s*\) | ["']/proc/(?:thread-)?self | \bpsutil\.Process\(\s*(?:os\.get\w+\(\)\s*)?\) | \bparse_(?:known_)?args\(\s*\)"#,
        ),
        around: TextPattern::new(
            r#"(?x)\bsys\._getframe\( | \binspect\.(?:stack|currentframe|getouterframes|trace)\( | \btraceback\.(?:extract_stack|walk_stack|format_stack)\( |
            \.f_back\b | \bsys\.(?:modules|meta_path|path_hooks|getrefcount|_current_frames|path_importer_cache|path\[0\]) | (?:^|[^"'\w/])__main__\.\w+ |
            \bgc\.get_(?:stats|count|referrers)\( | \bfaulthandler\.is_enabled\( |
            [\[(]\s*\w+\s+for\s+\w+(?:\s*,\s*\w+)?\s+in\s+(?:\w+\(\s*)?os\.environb?\b(?:\.(?:keys|items|values|copy)\(\))? | \bthreading\.(?:active_count|enumerate)\( | \bcurrent_thread\(\)\.name\b | \btime\.process_time(?:_ns)?\( | \bwarnings\.filters\b |
            \blogging\.(?:root|getLogger\(\))\.handlers\b | \.hasHandlers\(\) | \bresource\.getrusage\( | \btracemalloc\.is_tracing\( | \.stack_info\b | \bfindCaller\( |
            \b(?:l?stat|get[mac]time|access)\(\s*__file__\s*[,)] | \b(?:Path\(\s*__file__\s*\)|__file__)(?:\.(?:resolve|absolute)\(\))?\.l?stat\( |
            \bsys\.__std(?:in|out|err)__ | \bsys\.std(?:in|out|err)\s+is\s+(?:not\s+)?sys\. | \b(?:hasattr|type|isinstance|id)\(\s*sys\.std(?:in|out|err)\b | \bsys\.std(?:in|out|err)\.(?:name|mode|fileno\(\))"#,
        ),
        usual: TextPattern::new(
            r#"(?x)["'\w.\])]+\s+(?:not\s+)?in\s+sys\.modules\b | \bsys\.modules(?:\.get)?[\[(]\s*(?:\w+\.)?__(?:module|name)__ | \bsys\.modules\[\s*[a-z_]\w*\s*\] | \bif\s+not\s+[\w.()]+\.(?:handlers|hasHandlers\(\))\s*:\s*\n?\s*[\w.]*(?:basicConfig|addHandler)\b | ["']-[^"'\n]*["']\s+(?:not\s+)?in\s+sys\.argv |
            \bhasattr\(\s*sys\.std\w+\s*,\s*["'](?:buffer|reconfigure|isatty|encoding|fileno)["']\s*\) | \bisinstance\(\s*sys\.std\w+\s*,\s*io\. |
            \bsys\.executable\s+or\b | \bif\s+(?:not\s+)?sys\.executable\s*: | \bsys\.flags\.(?:optimize|utf8_mode|interactive)"#,
        ),
    },
    ProcessFacts {
        endings: &SCRIPT_ENDINGS,
        own: TextPattern::new(
            r#"(?x)\bprocess\.(?:argv0|argv|execArgv|execPath|title|ppid|channel|connected|mainModule)\b | ["'`]/proc/(?:thread-)?self | \bkeys\(\s*process\.env\s*\)\.length | \bfstatSync\(\s*[012]\s*\)"#,
        ),
        around: TextPattern::new(
            r#"(?x)\b(?:execution|trigger)Async(?:Id|Resource)\( | \bnew\s+[\w.]+\([^)\n]*\)\.stack\b | \barguments\.callee\b | \brequire\.(?:cache|main)\b | \bmodule\.(?:parent|children)\b |
            \bl?stat(?:Sync)?\(\s*(?:__filename|import\.meta\.filename|fileURLToPath\(\s*import\.meta\.url\s*\)|new\s+URL\(\s*import\.meta\.url\s*\))\s*[,)] |
            \bkeys\(\s*(?:process|import\.meta)\.env\s*\)\.(?:find|some|every|includes|join|filter\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)\.length)\b |
            \b(?:entries|values)\(\s*process\.env\s*\)\.(?:find|some|every|flat|join)\b | \bstringify\(\s*process\.env\s*\) | \.constructor\.constructor\b |
            \bimport\.meta\.url\b(?:\s*\?\?\s*["'`]{2})? | \b(?:keys|getOwnPropertyNames|ownKeys)\(\s*(?:globalThis|global)\s*\) | [\w\])]\s+in\s+global(?:This)?\s*[)\]&|?;] |
            \bimport\.meta\.env\??\.MODE\b |
            \.(?:test|exec|match)\(\s*\w+\.stack\b | \.stack\.(?:includes|match|search|indexOf|split)\( |
            \bprocess\.(?:uptime\(|listenerCount\(|eventNames\b|rawListeners\(|listeners\(|_getActive\w+\(|getActiveResourcesInfo\(|_events\b|moduleLoadList\b|report\.getReport\()"#,
        ),
        usual: TextPattern::new(
            r#"(?x)\brequire\.main\s*[!=]==?\s*module\b | \bmodule\s*[!=]==?\s*require\.main\b | !\s*module\.parent\s*\)\s*\{?\s*(?:main|run|start|cli|app|server)\b |
            \bprocess\.uptime\(\)\s*>=?\s*0(?:[^.\w]|$) | \(\s*import\.meta\.url\s*[,)] | ,\s*import\.meta\.url\s*\) | \bimport\.meta\.env\??\.MODE\s*[!=]==?\s*["'`](?:[a-su-z]|t[a-df-z])\w*["'`] |
            [^\n]*\bimport\.meta\b[^\n]*\bargv\[1\][^\n]* | [^\n]*\bargv\[1\][^\n]*\bimport\.meta\b[^\n]* | \bprocess\.argv(?:\.slice\(\d\))?\.(?:includes|indexOf)\(\s*["'`]-[^"'`\n]*["'`]\s*\)"#,
        ),
    },
    ProcessFacts {
        endings: &["rs"],
        own: TextPattern::new(
            r#"(?x)\benv::(?:args|args_os|current_exe)\(\) | \benv::vars(?:_os)?\(\)\.(?:count|any|find|position)\( | "/proc/self | \bparent_id\(\)"#,
        ),
        around: TextPattern::new(
            r#"(?x)\bthread::current\(\) | \bBacktrace::\w+\( | \bLocation::caller\(\) | \bremaining_stack\(\)"#,
        ),
        usual: TextPattern::new(r"\bthread::current\(\)\.id\(\)"),
    },
    ProcessFacts {
        endings: &["go"],
        own: TextPattern::new(
            r#"(?x)\bos\.(?:Args\b|Getppid\(|Executable\() | \blen\(\s*os\.Environ\(\)\s*\) | "/proc/(?:thread-)?self | \bdebug\.ReadBuildInfo\( | \bflag\.NFlag\("#,
        ),
        around: TextPattern::new(
            r#"(?x)\bruntime\.(?:NumGoroutine|Callers?|Stack|CallersFrames|FuncForPC)\( | \bdebug\.Stack\( | \bflag\.(?:Lookup\(|Parsed\(|CommandLine\.)"#,
        ),
        usual: TextPattern::new(
            r"\bflag\.CommandLine\.(?:SetOutput|Usage|Parse)\b|\bNewFlagSet\(\s*os\.Args\[0\],\s*(?:\w+\.)?(?:Continue|Exit|Panic)OnError\b|\bif\s+!flag\.Parsed\(\)\s*\{\s*flag\.Parse\(\)",
        ),
    },
    ProcessFacts {
        endings: &["sh", "bash", ""],
        own: TextPattern::new(
            r#"(?x)\$\{?(?:PPID|SHLVL|BASH_EXECUTION_STRING)\b | \$\(ps\s[^)\n]*\$\$ | \$0\b | \$\{0\b | /proc/(?:thread-)?(?:self|\$\$)"#,
        ),
        around: TextPattern::new(
            r#"(?x)\b(?:env|printenv|export\s+-p|declare\s+-[xpfF])\s*\| | \$\{\#?(?:BASH_SOURCE|FUNCNAME|BASH_LINENO|BASH_ARG[CV])\b[^\n}]*\} | \$\(caller\b | \$\{?BASH_SUBSHELL\b | \$\(ps\s | /proc/\$\{?PPID | \$\{[a-z_]+\+\w+\} | \bdeclare\s+-[pfF]\s+[a-z]\w* | \btype\s+-t\s+[a-z]\w*\s*\)"?\s*==?\s*["']?function\b | \[\s+-v\s+[a-z]\w+"#,
        ),
        usual: TextPattern::new(
            r#"(?x)\[\[?[^\n\]]*\$\{BASH_SOURCE(?:\[0\]|:-\$0|\[0\]:-)?\}?[^\n\]]*\]?\]? | \$\{\#BASH_SOURCE\[@\]\}\s*(?:-eq|==?)\s*1 |
            \b[gmn]?awk\b[^\n']*'[^']*'"#,
        ),
    },
    ProcessFacts {
        endings: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp"],
        own: TextPattern::new(
            r#"(?x)\b__progname\b | \bprogram_invocation(?:_short)?_name\b | \bgetppid\(\) | "/proc/self | \bgetauxval\("#,
        ),
        around: TextPattern::new(
            r#"(?x)\bbacktrace\( | \b__builtin_(?:return|frame)_address\( | \bdladdr\( | \b__BASE_FILE__\b | \b__INCLUDE_LEVEL__\b | \bonly_if_linked\b"#,
        ),
        usual: TextPattern::new(r"\x00"),
    },
    ProcessFacts {
        endings: &["java", "kt", "kts", "groovy", "scala"],
        own: TextPattern::new(r#"(?x)"sun\.java\.command" | \bProcessHandle\.current\(\)"#),
        around: TextPattern::new(
            r#"(?x)\bcurrentThread\(\)\.(?:getStackTrace\(\)|getName\(\)|name\b) | \bStackWalker\b | \bnew\s+(?:Throwable|Exception)\(\)\.getStackTrace\(\) | \bgetRuntimeMXBean\(\)"#,
        ),
        usual: TextPattern::new(r"\x00"),
    },
    ProcessFacts {
        endings: &["rb", "pl", "pm"],
        own: TextPattern::new(
            r#"(?x)\$PROGRAM_NAME\b | \$0\b | \bARGV\b | \bProcess\.ppid\b | \bgetppid\b"#,
        ),
        around: TextPattern::new(
            r#"(?x)\bcaller(?:_locations)?\b | \bObjectSpace\b | \bRandom\.seed\b | \$LOADED_FEATURES\b | [%$]INC\b | \bENV\.(?:keys\.)?(?:(?:any\?|none\?|find|detect|count)(?:\s*\{[^{}\n]*\})?|size|length) |
            \b(?:Thread\.list|(?:Object|Module|Kernel)\.constants|global_variables|Gem\.loaded_specs)\.(?:size|count|length|any\?|include\?|key\?|grep|find)(?:\s*\{[^{}\n]*\})? |
            \$"\.(?:grep|any\?|include\?|find|select|count|size) | \bmain->can\( | \$main::\{[^{}\n]*\} | %main::\W | \b(?:scalar|grep\s*\{[^{}\n]*\})[\s(]*keys\s+%ENV\b | \b(?:defined|exists)[\s(]*&(?:main)?::[a-z]\w*"#,
        ),
        usual: TextPattern::new(
            r#"(?x)\b(?:unless|if\s+!|if\s+not)\s*\(?\s*caller(?:\(\))?\s*\)?\s*;? | __FILE__\s*==\s*\$(?:0|PROGRAM_NAME) | \$(?:0|PROGRAM_NAME)\s*==\s*__FILE__ | [%$]INC\{\s*["']?(?:[A-SU-Z_a-z$]|T(?:[A-Zac-df-z]|e(?:[A-Za-rt-z]|s[A-Za-su-z]))|__)"#,
        ),
    },
];
