//! `gatewalk serve`: pages for a browser, until Ctrl-C.

use super::Context;
use crate::serve::{BoundedCommands, Gatekeeper, ServedRepository, Site};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::access_token::AccessToken;
use gatewalk_host::own_program::OwnProgram;
use gatewalk_host::{signals, user_config};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

/// How long it sleeps between two looks at whether it should end; a signal wakes it.
const NAP: Duration = Duration::from_secs(3600);

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk serve\n  gatewalk serve --read-only --port 7777\n  gatewalk -C ~/shop -C ~/blog serve"
)]
pub(crate) struct Args {
    /// The port; any free one when absent
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Show everything, decide nothing
    #[arg(long)]
    read_only: bool,
    /// The address to listen on; beyond this machine only with `--allow-remote`
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// A name besides localhost under which browsers may ask, such as that of a proxy; needs `--allow-remote`
    #[arg(long, value_name = "NAME", requires = "allow_remote")]
    host: Vec<String>,
    /// Answer others than this machine; what stands in front must speak TLS
    #[arg(long)]
    allow_remote: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !args.bind.is_loopback() && !args.allow_remote {
        return Err(Error::usage(format!("`{}` can be reached from other machines", args.bind))
            .hint("put TLS in front and add `--allow-remote`, or reach it through a tunnel: `ssh -L 7777:127.0.0.1:7777 HOST`"));
    }
    let repositories = open(context)?;
    let address = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(address).map_err(|e| {
        Error::environment(format!("cannot listen on {address}"))
            .with_source(e)
            .hint("name another port with `--port`, or none for any free one")
    })?;
    let unknown = |e| Error::environment("the address is unknown").with_source(e);
    let address = listener.local_addr().map_err(unknown)?;
    let link = AccessToken::new()?;
    let keeper = Gatekeeper {
        cookie: link.derived("cookie"),
        link: link.clone(),
        port: address.port(),
        hosts: args.host.clone(),
    };
    let runner = BoundedCommands::new(OwnProgram::find()?);
    let site = Site::new(repositories, runner, keeper, args.read_only);
    let stop = signals::install()?;
    site.start(listener)
        .map_err(|e| Error::environment("cannot start a thread").with_source(e))?;
    let shown = match address.ip().is_unspecified() {
        true => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port()),
        false => address,
    };
    let link = link.text();
    context.out.line(format!("http://{shown}/?token={link}"));
    for host in &args.host {
        context.out.line(format!("https://{host}/?token={link}"));
    }
    if args.allow_remote {
        context.out.note("other machines are answered: what stands in front must speak TLS, or everyone on the way reads along");
    }
    context.out.note("whoever has the link can see everything and decide as you; Ctrl-C ends the pages, not a run");
    while !stop.sleep(NAP) {}
    Ok(Exit::Success)
}

/// Opens the repositories that `-C` names, or else the one here, or else those of the user's configuration.
fn open(context: &Context) -> Result<Vec<ServedRepository>> {
    let mut directories = vec![context.cwd.clone()];
    directories.extend(context.more_directories.iter().cloned());
    let mut found: Vec<ServedRepository> = Vec::new();
    for directory in directories {
        let opened = match ServedRepository::open(&directory, &found) {
            Ok(opened) => opened,
            Err(error) if found.is_empty() && context.more_directories.is_empty() => {
                return configured()
                    .and_then(|all| if all.is_empty() { Err(error) } else { Ok(all) });
            }
            Err(error) => return Err(error),
        };
        if found.iter().all(|one| one.directory != opened.directory) {
            found.push(opened);
        }
    }
    Ok(found)
}

/// Opens the repositories that the user's configuration lists.
fn configured() -> Result<Vec<ServedRepository>> {
    let env: Vec<_> = std::env::vars_os().collect();
    let mut found = Vec::new();
    for directory in user_config::repositories(&env)? {
        let opened = ServedRepository::open(&directory, &found)?;
        found.push(opened);
    }
    Ok(found)
}
