//! Tool servers that a profile names, for sessions of its program: those, and no others where the program can be told so.

use super::AgentCommand;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A server of the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolServer {
    /// What the session calls it.
    pub name: String,
    /// Program and arguments, for one that is started for the session.
    pub command: Vec<String>,
    /// Where it is, for one that runs elsewhere.
    pub url: Option<String>,
    /// Variables that it may see.
    pub env_keep: Vec<String>,
}

/// How tool servers reach a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolServersVia {
    /// Not at all; these arguments keep the program's own out.
    Nothing(&'static [&'static str]),
    /// As JSON behind a switch.
    Json(&'static str),
    /// As JSON behind a switch, their names behind another.
    JsonAndNames(&'static str, &'static str),
    /// `-c mcp_servers.NAME.…`.
    Settings,
    /// In the protocol of the conversation.
    Protocol,
}

impl ToolServersVia {
    /// Returns whether servers can be given at all.
    pub(super) fn takes(self) -> bool {
        !matches!(self, ToolServersVia::Nothing(_))
    }

    /// Adds the servers of a profile to the start of a session.
    pub(super) fn pass(self, servers: &[ToolServer], command: &mut AgentCommand) {
        let names = servers.iter().flat_map(|server| &server.env_keep);
        command.keep_env.extend(names.cloned());
        let args: Vec<String> = match self {
            ToolServersVia::Nothing(off) => off.iter().map(|word| (*word).into()).collect(),
            ToolServersVia::Json(switch) if !servers.is_empty() => {
                vec![switch.into(), json(servers)]
            }
            ToolServersVia::JsonAndNames(switch, names) => {
                let mut args = Vec::new();
                if !servers.is_empty() {
                    args.extend([switch.into(), json(servers)]);
                }
                args.push(names.into());
                args.extend(servers.iter().map(|server| server.name.clone()));
                // A name that no server has.
                args.extend(servers.is_empty().then(|| "none".to_owned()));
                args
            }
            ToolServersVia::Settings => servers.iter().flat_map(settings).collect(),
            ToolServersVia::Json(_) | ToolServersVia::Protocol => vec![],
        };
        command
            .args
            .splice(command.before_prompt()..command.before_prompt(), args);
    }

    /// Returns the arguments that keep out servers of the program's own settings.
    pub(super) fn silence(self, own: &[String]) -> Vec<String> {
        let off = |name: &String| ["-c".to_owned(), format!("mcp_servers.{name}.enabled=false")];
        match self {
            ToolServersVia::Settings => own.iter().flat_map(off).collect(),
            _ => vec![],
        }
    }
}

/// Returns the servers as programs keep them in their own settings.
fn json(servers: &[ToolServer]) -> String {
    let all = servers.iter().map(|server| {
        let value = match (&server.url, server.command.split_first()) {
            (None, Some((program, args))) => {
                json!({"type": "stdio", "command": program, "args": args})
            }
            (url, _) => json!({"type": "http", "url": url}),
        };
        (server.name.clone(), value)
    });
    json!({"mcpServers": all.collect::<Map<String, Value>>()}).to_string()
}

/// Returns the servers as `session/new` takes them.
pub(super) fn protocol(servers: &[ToolServer]) -> Vec<Value> {
    let one = |server: &ToolServer| match (&server.url, server.command.split_first()) {
        (None, Some((program, args))) => {
            json!({"name": server.name, "command": program, "args": args, "env": []})
        }
        (url, _) => json!({"type": "http", "name": server.name, "url": url, "headers": []}),
    };
    servers.iter().map(one).collect()
}

fn settings(server: &ToolServer) -> Vec<String> {
    let key = |key: &str, value: Value| {
        [
            "-c".to_owned(),
            format!("mcp_servers.{}.{key}={value}", server.name),
        ]
    };
    match (&server.url, server.command.split_first()) {
        (None, Some((program, args))) => {
            let mut all = key("command", json!(program)).to_vec();
            all.extend(key("args", json!(args)));
            if !server.env_keep.is_empty() {
                all.extend(key("env_vars", json!(server.env_keep)));
            }
            all
        }
        (url, _) => key("url", json!(url)).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(via: ToolServersVia, servers: &[ToolServer], want: &str) {
        let mut command = AgentCommand::of("x");
        command.args = vec!["-".into()];
        command.prompt_args = 1;
        via.pass(servers, &mut command);
        assert_eq!(command.args.join(" "), want, "{via:?}");
        let kept: Vec<&String> = servers.iter().flat_map(|s| &s.env_keep).collect();
        assert_eq!(command.keep_env.iter().collect::<Vec<_>>(), kept);
    }

    #[test]
    fn servers_reach_each_program_in_its_own_way_and_none_where_none_is_named() {
        let docs = ToolServer {
            name: "docs".into(),
            command: vec!["npx".into(), "docs-mcp".into()],
            url: None,
            env_keep: vec!["DOCS_KEY".into()],
        };
        let web = ToolServer {
            name: "web".into(),
            command: vec![],
            url: Some("https://mcp.example".into()),
            env_keep: vec![],
        };
        let both = [docs, web];
        let value = r#"{"mcpServers":{"docs":{"type":"stdio","command":"npx","args":["docs-mcp"]},"web":{"type":"http","url":"https://mcp.example"}}}"#;
        use ToolServersVia::{Json, JsonAndNames, Nothing, Protocol, Settings};
        for (via, none, some) in [
            (Nothing(&["--off", "none"]), "--off none -", "--off none -".to_owned()),
            (Json("--mcp"), "-", format!("--mcp {value} -")),
            (
                JsonAndNames("--mcp", "--names"),
                "--names none -",
                format!("--mcp {value} --names docs web -"),
            ),
            (
                Settings,
                "-",
                r#"-c mcp_servers.docs.command="npx" -c mcp_servers.docs.args=["docs-mcp"] -c mcp_servers.docs.env_vars=["DOCS_KEY"] -c mcp_servers.web.url="https://mcp.example" -"#.to_owned(),
            ),
            (Protocol, "-", "-".to_owned()),
        ] {
            check(via, &[], none);
            check(via, &both, &some);
        }
        let own = ["a".to_owned()];
        assert_eq!(
            Settings.silence(&own).join(" "),
            "-c mcp_servers.a.enabled=false"
        );
        assert!(Json("--mcp").silence(&own).is_empty());
        let params = protocol(&both);
        assert_eq!(params[0]["command"], "npx");
        assert_eq!(params[1]["type"], "http");
    }
}
