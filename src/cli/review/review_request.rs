//! `gatewalk review --pr`: the gate as a pull request, through `gh`; merging it arms, comments on its lines reach sessions.

use super::{Args, ReviewScreen};
use crate::cli::unit_command::OpenFeature;
use crate::cli::{Context, arm, pr, push_remote};
use gatewalk_core::engine::gate_request::{self, RequestStep};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::ArmedBy;
use gatewalk_core::model::short_title::short_title;
use gatewalk_host::user_tool::{self, ToolCommand};
use serde_json::{Value, json};

/// The feature's gate, and where its pull request is.
pub(super) struct GateRequest<'a> {
    pub(super) context: &'a Context,
    pub(super) opened: OpenFeature<'a>,
    pub(super) gate: u32,
    pub(super) armed_by: ArmedBy,
}

/// Opens or updates the pull request of the gate that waits, or does what its end asks for.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (mut request, mut screen) = waiting_gate(args, context)?;
    let name = request.opened.feature().name();
    let step = gate_request::next(&request.listed()?, &name, request.gate, request.armed_by);
    if matches!(step, RequestStep::Open | RequestStep::Update { .. }) {
        push_remote::refuse_unknown(&args.remote, context, &request.opened.repository)?;
    }
    // What was closed says nothing more: the user decides here, or reopens it.
    let next = match step {
        RequestStep::TakeComments { .. } => format!("next: gatewalk review {name}"),
        _ => format!("next: gatewalk review {name} --pr, once somebody has looked"),
    };
    let (done, number) = match step {
        RequestStep::Arm { number, plan } => return request.arm(number, plan),
        RequestStep::Open => request.open(args, &screen)?,
        RequestStep::Update { number } => {
            if request.take_comments(number, false)? > 0 {
                (request, screen) = waiting_gate(args, context)?;
            }
            (request.update(args, &screen, number)?, Some(number))
        }
        RequestStep::TakeComments { number } => (request.after_close(number)?, Some(number)),
    };
    if args.view.json {
        let gate = request.gate;
        context
            .out
            .json(&json!({"feature": name, "gate": gate, "pull_request": number, "done": done}));
    } else {
        context.out.line(done);
        context.out.note(next);
    }
    Ok(Exit::Success)
}

/// Returns the gate that waits for review, and its review.
fn waiting_gate<'a>(args: &Args, context: &'a Context) -> Result<(GateRequest<'a>, ReviewScreen)> {
    let named = args.view.feature.as_ref().or(args.name.as_ref());
    let opened = OpenFeature::read(context, named.map(String::as_str), None)?;
    let screen = super::screen(&opened)?;
    let Some((screen, gate)) = screen.and_then(|s| s.reviewed.map(|gate| (s, gate))) else {
        let name = opened.feature().name();
        return Err(Error::plan(format!("no gate of {name} waits for review"))
            .hint("`gatewalk status` shows what is next"));
    };
    let armed_by = match args.arm_on_approval {
        true => ArmedBy::Approval,
        false => opened.selected.workspace.config.armed_by(),
    };
    let request = GateRequest {
        context,
        opened,
        gate,
        armed_by,
    };
    Ok((request, screen))
}

pub(super) fn counted_comments(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} comment{ending}")
}

impl GateRequest<'_> {
    pub(super) fn call(&self, program: &str, args: &[&str], input: &str) -> Result<String> {
        let answer = user_tool::run(&ToolCommand {
            program,
            args,
            input,
            cwd: self.opened.repository.git.work_tree(),
            env: &self.context.host()?.env,
        })?;
        answer.ok(&format!(
            "{program} {} {}",
            args[0],
            args.get(1).unwrap_or(&"")
        ))
    }

    pub(super) fn rows(&self, args: &[&str]) -> Result<Vec<Value>> {
        let text = self.call("gh", args, "")?;
        gate_request::rows(&text).map_err(|e| e.hint("nothing was armed and nothing was pushed"))
    }

    /// Returns what the forge lists of the feature's branch.
    fn listed(&self) -> Result<Vec<Value>> {
        let branch = &self.opened.selected.branch;
        let fields = "number,url,state,reviewDecision,body,isCrossRepository";
        self.rows(&[
            "pr", "list", "--head", branch, "--state", "all", "--json", fields,
        ])
    }

    fn body(&self, screen: &ReviewScreen) -> Result<String> {
        let selected = &self.opened.selected;
        let essence = pr::request(self.context, &self.opened.repository, selected)?;
        let parts = screen
            .parts
            .iter()
            .map(|p| (p.title.clone(), p.lines.clone()));
        let parts: Vec<_> = parts.collect();
        let name = self.opened.feature().name();
        let plan = super::shown_plan(&self.opened)?.unwrap_or_default();
        let own = (&*name, self.gate, &*plan);
        Ok(gate_request::body(
            own,
            self.armed_by,
            &parts,
            &essence.body,
        ))
    }

    fn push(&self, remote: &str) -> Result<()> {
        let branch = &self.opened.selected.branch;
        let spec = format!("refs/heads/{branch}:refs/heads/{branch}");
        let name = self.opened.feature().name();
        self.call("git", &["push", remote, &spec], "")
            .map(drop)
            .map_err(|e| {
                e.hint(format!(
                    "where the remote has more than you: gatewalk sync {name} --dry-run"
                ))
            })
    }

    fn title(&self) -> String {
        let feature = self.opened.feature();
        let title = feature.plan.title().unwrap_or_else(|| feature.name());
        format!("Gate {} of {}", self.gate, short_title(&title))
    }

    /// Opens the request; returns what was done, and its number where the forge's address has one.
    fn open(&self, args: &Args, screen: &ReviewScreen) -> Result<(String, Option<u64>)> {
        let body = self.body(screen)?;
        self.push(&args.remote)?;
        let (title, branch) = (self.title(), &self.opened.selected.branch);
        let mut create = vec![
            "pr",
            "create",
            "--head",
            branch,
            "--title",
            &title,
            "--body-file",
            "-",
        ];
        if let Some(base) = &args.base {
            create.extend(["--base", base]);
        }
        let output = self.call("gh", &create, &body)?;
        let url = output.lines().rev().find(|line| line.contains("://"));
        let url = url.unwrap_or_default().trim();
        let number = url.rsplit('/').next().and_then(|n| n.parse().ok());
        let done = format!("gate {} is open for review: {url}", self.gate);
        Ok((done, number))
    }

    fn update(&self, args: &Args, screen: &ReviewScreen, number: u64) -> Result<String> {
        let body = self.body(screen)?;
        self.push(&args.remote)?;
        let number = number.to_string();
        self.call(
            "gh",
            &[
                "pr",
                "edit",
                &number,
                "--title",
                &self.title(),
                "--body-file",
                "-",
            ],
            &body,
        )?;
        Ok(format!(
            "pull request {number} shows gate {} as it stands",
            self.gate
        ))
    }

    /// Arms what the request showed, and then takes the comments that came after it was last looked at: they are drafts.
    fn arm(&mut self, number: u64, shown: Option<String>) -> Result<Exit> {
        let name = self.opened.feature().name();
        let plan = super::shown_plan(&self.opened)?;
        if shown.is_some() && shown != plan {
            let what = format!(
                "the plan changed after pull request {number} showed it, so nothing was armed"
            );
            return Err(Error::plan(what)
                .hint(format!("gatewalk review {name}"))
                .hint(format!("gatewalk arm {name}")));
        }
        let armed = arm::run(&arm::Args::accepting(&name), self.context)?;
        let note = match self.take_comments(number, false) {
            Ok(0) => return Ok(armed),
            Ok(taken) => format!("{} became drafts", counted_comments(taken)),
            Err(error) => format!("its comments could not be read: {error}"),
        };
        self.context.out.note(note);
        Ok(armed)
    }

    /// Takes what people said before they closed the request; returns what was done.
    fn after_close(&mut self, number: u64) -> Result<String> {
        let taken = counted_comments(self.take_comments(number, true)?);
        Ok(format!(
            "pull request {number} was closed; {taken} reach sessions; reopened, it decides again"
        ))
    }
}
