//! What the far end knows of its machine, for whoever proves a runner.

use super::far_contact::FarContact;
use super::far_store;
use crate::isolation::Layer;
use crate::os::login_file;
use crate::process::watchdog::Watchdog;
use crate::process::{self, CommandSpec, Limits, Marker, Stdin, orphans};
use crate::runner::contact_messages::{ContactTask, FarAgent, FarHello, FarReport, HomeHello};
use crate::runner::frames::{Frame, FrameKind};
use crate::{git, installed_programs};
use gatewalk_core::agents;
use gatewalk_core::error::{Error, Result};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// How many bytes a slot takes at least.
const LEAST: usize = 64 * 1024;
/// How long a family lingers if nobody kills it.
const LINGERS: Duration = Duration::from_secs(120);

/// Answers what home asks of this machine.
pub(super) fn run(contact: &FarContact, hello: &HomeHello) -> Result<()> {
    let answer = FarHello::here(vec![], 0);
    contact
        .out
        .send_frame(&Frame::json(FrameKind::Hello, &answer))?;
    match hello.task {
        ContactTask::Linger => linger(contact, &hello.repository),
        _ => {
            let report = report(contact, &hello.repository);
            contact
                .out
                .send_frame(&Frame::json(FrameKind::Report, &report))
        }
    }
}

fn report(contact: &FarContact, probe: &str) -> FarReport {
    let host = &contact.host;
    let layer = Layer::probe(&host.env, &host.own_program);
    let found = agents::ALL.iter().filter_map(|agent| {
        let (program, _) = agent.probe()?;
        let path = installed_programs::find(program, &host.env, &host.cwd)?;
        Some(FarAgent {
            name: agent.name().to_owned(),
            version: installed_programs::version_of(&path),
            login: agent
                .login()
                .and_then(|login| login_file(&login, host))
                .is_some(),
        })
    });
    let cache = far_store::far_root(host);
    let kept = cache.clone().and_then(|root| keeps(&root));
    let left = orphans::find(probe, None).len();
    if left > 0 {
        orphans::end(probe, None, Duration::ZERO);
    }
    FarReport {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: crate::lock::Holder::this("", "").host,
        git: git::installed_version().ok(),
        isolation: layer.word().to_owned(),
        why_unconfined: match &layer {
            Layer::None(why) => Some(why.clone()),
            _ => None,
        },
        agents: found.collect(),
        cache: cache
            .map(|path| path.display().to_string())
            .unwrap_or_default(),
        why_no_cache: kept.err().map(|error| error.to_string()),
        // What home starts is marked in its environment.
        has_homes_environment: host.var(process::MARKER_VARIABLE).is_some(),
        survivors: left,
        time_ms: jiff::Timestamp::now().as_millisecond(),
    }
}

/// Keeps something for a moment: a directory may be there and take nothing.
fn keeps(root: &Path) -> Result<()> {
    let failed = |error: std::io::Error| Error::io("write below", root, &error);
    std::fs::create_dir_all(root).map_err(failed)?;
    let mut file = tempfile::tempfile_in(root).map_err(failed)?;
    file.write_all(&[0; LEAST]).map_err(failed)
}

/// Starts a family that would live on if nothing ended it, a process that leaves its session included.
fn linger(contact: &FarContact, probe: &str) -> Result<()> {
    let lock = std::env::temp_dir().join("none");
    contact.lease.covers(probe.to_owned(), lock.clone());
    let _watchdog = Watchdog::start(&contact.host.own_program, probe, &lock)?;
    let stay = LINGERS.as_secs();
    let shell = format!("setsid sleep {stay} & (sleep {stay} &); echo up; sleep {stay}");
    let spec = CommandSpec {
        program: "sh".into(),
        args: vec!["-c".into(), shell.into()],
        // The one directory that every machine has.
        cwd: "/".into(),
        env: contact.host.env.clone(),
        stdin: Stdin::Null,
        marker: Marker::new(probe, "linger"),
        inherit: None,
        wrapper: None,
    };
    let limits = Limits {
        wall: Some(LINGERS),
        ..Limits::default()
    };
    let mut told = Begin(contact);
    process::run(
        &process::ProgramRun {
            spec: &spec,
            limits: &limits,
            log: None,
            stop: &contact.stop,
        },
        &mut told,
    );
    Err(Error::environment("nobody killed the connection"))
}

/// Tells home that the family is there.
struct Begin<'a>(&'a FarContact);

impl process::Sink for Begin<'_> {
    fn stdout_line(&mut self, _: &[u8], _: bool) -> process::Flow {
        drop(self.0.out.send(FrameKind::Begun, b""));
        process::Flow::Continue
    }
}
