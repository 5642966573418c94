//! The guided part of a first run: which agent works, whether it is tried once, and the first feature from a sentence.
//! Each is an option; on a terminal, what no option says is asked.

use super::terminal_questions::{Questions, yes_or_no};
use crate::cli::doctor::{self, KnownAgent};
use crate::cli::new::{FeatureNames, OnDisk};
use crate::cli::{Context, write_files};
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::feature_draft::title_of;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::scaffold::{WriteMode, agent_instructions};
use std::path::Path;

#[derive(clap::Args)]
pub(crate) struct GuideArgs {
    /// Write this agent into config.yml as the one that works where no plan names another
    #[arg(long, value_name = "NAME")]
    default_agent: Option<String>,
    /// Let that agent do a one-file task in a throwaway repository first; this costs what a short session costs
    #[arg(long, requires = "default_agent")]
    probe: bool,
    /// Write the first feature, from a sentence about what is wanted
    #[arg(long, value_name = "SENTENCE")]
    feature: Option<String>,
    /// Ask nothing, also on a terminal: what no option says is left out
    #[arg(long)]
    pub(super) no_input: bool,
}

impl GuideArgs {
    /// Returns whether something is asked for that only a first `init` does.
    pub(super) fn asks_for_more(&self) -> bool {
        self.default_agent.is_some() || self.feature.is_some()
    }
}

/// What the user chose.
pub(super) struct FirstRun {
    /// The agent that works.
    pub(super) agent: Option<String>,
    /// The agent that the user works with by hand, and that gets the instructions and the skills.
    pub(super) by_hand: Option<String>,
    /// What the first feature is about.
    sentence: Option<String>,
}

/// Refuses options that cannot be meant, before anything is run for them.
pub(super) fn check_options(args: &GuideArgs, context: &Context) -> Result<()> {
    if let Some(name) = &args.default_agent {
        check_agent(name, context)?;
    }
    let wordless = |sentence: &String| title_of(one_line(sentence).trim()).is_empty();
    if args.feature.as_ref().is_some_and(wordless) {
        return Err(Error::usage(
            "`--feature` needs a sentence about what is wanted",
        ));
    }
    Ok(())
}

/// Takes the choices from the options, which were checked, and asks for the others.
pub(super) fn choose(
    args: &GuideArgs,
    context: &Context,
    questions: &Questions<'_>,
    dry_run: bool,
) -> Result<FirstRun> {
    let agent = match &args.default_agent {
        Some(name) => {
            if args.probe && !dry_run {
                probe(name, context)?;
            }
            Some(name.clone())
        }
        None if dry_run => None,
        None => asked_agent(context, questions)?,
    };
    let by_hand = match &agent {
        Some(name) if !dry_run => asked_by_hand(name, questions)?,
        _ => None,
    };
    let sentence = match &args.feature {
        Some(sentence) => Some(sentence.clone()),
        None if dry_run => None,
        None => asked_sentence(questions)?,
    };
    let sentence = sentence.map(|text| one_line(&text).trim().to_owned());
    Ok(FirstRun {
        agent,
        by_hand,
        sentence: sentence.filter(|text| !title_of(text).is_empty()),
    })
}

/// Checks the agent of `--default-agent`.
fn check_agent(name: &str, context: &Context) -> Result<()> {
    let known = doctor::known_agents(context);
    let Some(agent) = known.iter().find(|agent| agent.name == name) else {
        let names: Vec<&str> = known.iter().map(|agent| agent.name.as_str()).collect();
        return Err(Error::usage(format!("no agent is called `{name}`"))
            .hint(format!("known: {}", names.join(", ")))
            .hint("a program of your own goes into your own configuration: docs/agents.md"));
    };
    if !agent.usable {
        let error = Error::environment(format!("`{name}` cannot work here: {}", agent.message));
        return Err(match &agent.remedy {
            Some(remedy) => error.hint(remedy.clone()),
            None => error,
        }
        .hint("nothing was written; without `--default-agent` no agent is needed until `gatewalk loop`"));
    }
    Ok(())
}

/// Lets the agent of `--default-agent` do its one-file task.
fn probe(name: &str, context: &Context) -> Result<()> {
    let tried = doctor::try_agent(name, context)?;
    if !tried.usable {
        let error = Error::environment(format!("`{name}` was tried and failed: {}", tried.message));
        return Err(error.hint("nothing was written; `gatewalk doctor` shows the other agents"));
    }
    context.out.note(format!("tried {name}: {}", tried.message));
    Ok(())
}

/// Shows the agents that are here, asks which one works, and offers to try it.
fn asked_agent(context: &Context, questions: &Questions<'_>) -> Result<Option<String>> {
    if !questions.asks() {
        return Ok(None);
    }
    let out = &context.out;
    let here: Vec<KnownAgent> = doctor::known_agents(context)
        .into_iter()
        .filter(|agent| agent.usable)
        .collect();
    let Some(first) = here.first() else {
        out.note("no coding agent was found; install one before `gatewalk loop`, or see `gatewalk demo`, which needs none");
        return Ok(None);
    };
    out.note("agents that are here:");
    for agent in &here {
        out.note(format!("  {:<9} {}", agent.name, agent.message));
    }
    let name = loop {
        let question = format!("which of them does the work? [{}, or `none`]", first.name);
        let Some(answer) = questions.line(&question)? else {
            return Ok(None);
        };
        match answer.as_str() {
            "" => break first.name.clone(),
            "none" => return Ok(None),
            word if here.iter().any(|agent| agent.name == word) => break word.to_owned(),
            word => match yes_or_no(word) {
                Some(true) => break first.name.clone(),
                Some(false) => return Ok(None),
                None => out.note(format!("`{}` is not in the list", one_line(word))),
            },
        }
    };
    let question = format!(
        "let {name} write one file in a throwaway repository now? it costs a short session"
    );
    if questions.yes(&question, false)? {
        let tried = doctor::try_agent(&name, context)?;
        out.note(format!("{name}: {}", tried.message));
        if !tried.usable {
            out.note("it is left out of config.yml; `gatewalk doctor` shows more");
            return Ok(None);
        }
    }
    Ok(Some(name))
}

/// Asks whether the agent is also used by hand, if it could read instructions here.
fn asked_by_hand(name: &str, questions: &Questions<'_>) -> Result<Option<String>> {
    let Some(file) = agent_instructions::file_of(name) else {
        return Ok(None);
    };
    let question =
        format!("do you also use {name} by hand? it gets a block in {file} and the skills");
    let agreed = questions.yes(&question, false)?;
    Ok(agreed.then(|| name.to_owned()))
}

/// Asks for the first feature; a mere yes is no sentence, and a no is none.
fn asked_sentence(questions: &Questions<'_>) -> Result<Option<String>> {
    let question = "what should be built first, in a sentence? (an empty line: decide later)";
    loop {
        let Some(answer) = questions.line(question)? else {
            return Ok(None);
        };
        match yes_or_no(&answer) {
            None => return Ok(Some(answer)),
            Some(false) => return Ok(None),
            Some(true) => {}
        }
    }
}

impl FirstRun {
    /// Writes the first feature, if there is one, and returns what comes next.
    pub(super) fn finish(&self, context: &Context, root: &Path, dry_run: bool) -> Result<String> {
        let Some(sentence) = &self.sentence else {
            return Ok(match &self.agent {
                Some(_) => "next: read .gatewalk/verification.yml, commit .gatewalk, then gatewalk draft \"WHAT YOU WANT\"".to_owned(),
                None => "next: read .gatewalk/verification.yml, then gatewalk new feature \"TITLE\"".to_owned(),
            });
        };
        let title = title_of(sentence);
        if dry_run {
            return Ok(format!("a first feature `{title}` would be written too"));
        }
        let disk = OnDisk::open(context)?;
        let names = FeatureNames {
            goal: Some(sentence),
            ..FeatureNames::default()
        };
        let mut writes = disk.new_feature(context, &title, names)?;
        disk.propose_touches(context, &mut writes);
        // What names a file after the file.
        writes.sort_by_key(|write| write.mode != WriteMode::Create);
        write_files::write(context, root, &writes, false)?;
        Ok("next: read .gatewalk/verification.yml, fill in what stands as `<fill in: …>`, then gatewalk lint".to_owned())
    }
}
