//! `gatewalk answer`: answer an open question, where it was asked.

use super::unit_command::{Common, OpenFeature, one_line};
use super::{Context, unblock};
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::questions::{self, Question};
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::id::short_id;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::json;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk answer\n  gatewalk answer 1 \"LC_ALL wins over LANG\"\n  gatewalk answer T01 \"LC_ALL wins over LANG\""
)]
pub(crate) struct Args {
    /// The question's number in the list, or the unit that asks; the list itself when absent
    #[arg(value_name = "NUMBER|UNIT")]
    question: Option<String>,
    /// The answer
    answer: Option<String>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let feature = match &args.common.feature {
        Some(named) => Some(named.clone()),
        None => the_one_that_asks(context)?,
    };
    let common = Common {
        feature,
        ..args.common
    };
    let Some(named) = &args.question else {
        let opened = OpenFeature::read(context, common.feature.as_deref(), None)?;
        let open = questions::open(opened.feature());
        return list(context, &open, args.common.json);
    };
    let Some(answer) = &args.answer else {
        return Err(Error::usage(format!(
            "`{named}` alone is a question without its answer, or an answer without its question"
        ))
        .hint("`gatewalk answer 1 \"…\"` answers the first; `gatewalk answer` lists them"));
    };
    let answer = one_line("the answer", answer)?;
    let mut opened = OpenFeature::open(context, &common, None)?;
    let question = pick(opened.feature(), named)?;
    let commit = commit(&mut opened, &question, &answer)?;
    // The unit that asked goes on with the answer.
    let Some(unit) = &question.unit else {
        opened.done(args.common.json, "answered", commit);
        return Ok(Exit::Success);
    };
    let reason = format!("answered: {answer}");
    let commit = unblock::send_back(&mut opened, unit, &reason)?;
    opened.done(
        args.common.json,
        &format!("answered, and {unit} is pending again"),
        commit,
    );
    Ok(Exit::Success)
}

/// Commits an answer beside its question.
fn commit(opened: &mut OpenFeature<'_>, question: &Question, answer: &str) -> Result<ObjectId> {
    let name = opened.feature().name();
    let now = opened.now.clone();
    let message = trailers::message(
        &format!("Answer a question of {name}"),
        &format!("{}\n{answer}", sanitize(&question.text)),
        &[(Trailer::Answered, &name)],
    );
    opened.commit(&message, |books, feature| {
        let mut edits: FileEdits = vec![answered(feature, question, answer)?];
        edits.extend(books.note(events::verb(
            &name,
            &now,
            "question_answered",
            json!({"question": question.text, "answer": answer}),
        )));
        Ok(edits)
    })
}

/// Without a name: the feature that has open questions; where none has, any will do.
fn the_one_that_asks(context: &Context) -> Result<Option<String>> {
    let features = Repository::open(&context.cwd)?.features()?;
    let goes_on = |f: &&Selected| !f.feature().plan.status().is_over();
    let asks = |f: &&Selected| !questions::open(f.feature()).is_empty();
    let asking = features.iter().filter(goes_on).filter(asks);
    let asking: Vec<String> = asking.map(|f| f.feature().name()).collect();
    match &asking[..] {
        [] => Ok(features.first().map(|f| f.feature().name())),
        [one] => Ok(Some(one.clone())),
        _ => Err(Error::usage(format!(
            "several features have open questions: {}",
            asking.join(", ")
        ))
        .hint("say which with `--feature ID`; `gatewalk inbox` lists them all")),
    }
}

fn list(context: &Context, open: &[Question], json: bool) -> Result<Exit> {
    if json {
        let rows: Vec<_> = open.iter().enumerate().map(|(i, q)| json!({"number": i + 1, "path": q.path, "question": q.text, "blocking": q.blocking})).collect();
        context.out.json(&json!({"questions": rows}));
    } else if open.is_empty() {
        context.out.line("no open questions");
    }
    for (i, q) in open.iter().enumerate().filter(|_| !json) {
        context
            .out
            .line(format!("{:>3}  {}  ({})", i + 1, sanitize(&q.text), q.path));
    }
    Ok(Exit::Success)
}

/// Returns the edit that answers a question, which may have moved in its file meanwhile.
fn answered(feature: &Feature, question: &Question, answer: &str) -> Result<(String, String)> {
    let open = questions::open(feature);
    let same = open
        .iter()
        .find(|q| q.text == question.text && q.path == question.path);
    same.and_then(|q| questions::answered(q, answer))
        .ok_or_else(|| Error::plan("the question is not open any more"))
}

/// Finds an open question by its number in the list, or by the unit that asks nothing else.
fn pick(feature: &Feature, named: &str) -> Result<Question> {
    let open = questions::open(feature);
    let Ok(number) = named.parse::<usize>() else {
        return of_unit(feature, &open, named);
    };
    let found = number.checked_sub(1).and_then(|i| open.get(i)).cloned();
    found.ok_or_else(|| {
        Error::usage(format!(
            "there is no question {number}; open: {}",
            open.len()
        ))
        .hint("`gatewalk answer` lists them")
    })
}

fn of_unit(feature: &Feature, open: &[Question], named: &str) -> Result<Question> {
    let asks = |question: &&Question| {
        let unit = question.unit.as_deref().unwrap_or_default();
        let short = short_id(unit);
        [unit, short]
            .iter()
            .any(|id| id.eq_ignore_ascii_case(named))
    };
    let asked: Vec<&Question> = open.iter().filter(asks).collect();
    match asked[..] {
        [one] => Ok(one.clone()),
        [] => Err(Error::usage(format!(
            "`{named}` is no question's number, and no unit of {} that asks one",
            feature.name()
        ))
        .hint("`gatewalk answer` lists the questions with their numbers")),
        _ => Err(Error::usage(format!(
            "`{named}` asks {}",
            counted(asked.len(), "question")
        ))
        .hint("`gatewalk answer` lists them: answer each by its number")),
    }
}
