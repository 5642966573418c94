//! PLAN.md: the shape of a feature. Edges and membership live only here.

mod graph_reader;

use super::document::Document;
use super::frontmatter::{Note, Spanned, front, word_from_yaml};
use super::id::FeatureId;
use super::status_machine::{FeatureStatus, words};
use super::yaml::{self, Node, YamlError};
use crate::diagnostic::Span;
use graph_reader::GraphReader;
use std::sync::Arc;

/// Who arms the next gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Autonomy {
    /// The driver, when every stop class is clean.
    Auto,
    /// A user, after reading the review.
    Review,
    /// A user, who also looks at each unit that landed before the next one starts.
    Supervised,
}

words!(Autonomy {
    "review" => Autonomy::Review,
    "auto" => Autonomy::Auto,
    "supervised" => Autonomy::Supervised,
});
word_from_yaml!(Autonomy);

/// Keys that older drivers wrote; read, kept, never a finding.
pub const KEPT_KEYS: &[&str] = &[
    "driver_version",
    "target_repo",
    "blocked_by",
    "issue",
    "created",
];

front! {
    /// The frontmatter of `PLAN.md`.
    pub struct PlanFront keeps KEPT_KEYS => {
        /// The feature's id: `FEAT-YYYY-NNNN` or `INIT-YYYY-NNNN/FNN`.
        feature_id = "feature_id": String [Author required],
        /// What the feature is called.
        title = "title": String [Author required],
        /// The branch the feature lands on, one of its own: `main` and the like are named by lint and before a run.
        branch = "branch": String [Author required],
        /// What the feature is for, one sentence.
        roadmap_goal = "roadmap_goal": String [Author required],
        /// Where it stands.
        status = "status": FeatureStatus [Author required],
        /// The short name in its directory.
        slug = "slug": String [Author],
        /// The branch or tag that the feature's branch starts at, its plan on top; the checked-out commit when absent.
        base = "base": String [Author],
        /// The directory its work lies in: a unit that names no `touches` may change what is below it and nothing else, and the map that its session gets is about that. Sessions and commands start at the repository's top all the same, where paths in plans start.
        root = "root": String [Author],
        /// The issue it was drafted from, `owner/repo#12`; it gets a label with the feature's state.
        issue = "issue": String [Author],
        /// Who goes on: `review` (default) stops at each gate for you to arm the next, `auto` arms a gate that gives no reason to look, `supervised` also stops after each landing and passes no gate without you.
        autonomy_default = "autonomy_default": Autonomy [Author],
        /// What the feature is expected to cost, in US dollars.
        planned_cost_usd = "planned_cost_usd": f64 [Author],
        /// What the feature may cost, in US dollars.
        budget_usd = "budget_usd": f64 [Author],
        /// Never close a gate of this feature without a session.
        auto_close_disabled = "auto_close_disabled": bool [Author],
        /// The agent of its units that name none.
        agent = "agent": super::frontmatter::OneOrMany<super::agent_entry::AgentEntry> [Author],
        /// The model of its units that name none.
        model = "model": super::agent_entry::ModelName [Author],
        /// The effort of its units that name none.
        effort = "effort": super::agent_entry::Effort [Author],
        /// The runners its sessions go to, by the names that the configuration of whoever runs the loop gives them; `loop --runner` goes before.
        runners = "runners": super::frontmatter::OneOrMany<String> [Author],
    }
}

/// One unit's line in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitNode {
    /// The unit's id, as written.
    pub id: Spanned<String>,
    /// Its file's name inside the feature's directory.
    pub file: Spanned<String>,
    /// Ids it waits for.
    pub depends_on: Vec<Spanned<String>>,
    /// Bytes of the whole entry.
    pub span: Span,
}

/// One gate's line in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GateNode {
    /// Its number, where it is one.
    pub number: Option<Spanned<u32>>,
    /// Its file's name inside the feature's directory.
    pub file: Option<Spanned<String>>,
    /// Its units, in order.
    pub units: Vec<UnitNode>,
    /// Bytes of the whole entry.
    pub span: Span,
}

/// What was wrong with the graph block itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GraphProblem {
    /// No fenced `yaml` block has a top-level `gates:` key.
    NoBlock,
    /// A second block has one.
    SecondBlock {
        /// Bytes of the second block.
        span: Span,
        /// Bytes of the first one.
        first: Span,
    },
    /// The list of gates is empty.
    NoGates(Span),
    /// The block is not readable YAML.
    Yaml(YamlError),
    /// A key is missing, unknown or has another type.
    Note(Note),
}

/// `PLAN.md` as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The file as parsed.
    pub doc: Document,
    /// Its frontmatter, each key as its type.
    pub front: PlanFront,
    /// The id, when it is well formed.
    pub id: Option<FeatureId>,
    /// The gates, in order.
    pub gates: Vec<GateNode>,
    /// The block the graph was read from.
    pub graph_span: Option<Span>,
    /// What was wrong with the graph.
    pub(crate) graph_problems: Vec<GraphProblem>,
    /// What did not fit in the frontmatter.
    pub(crate) notes: Vec<Note>,
}

impl Plan {
    /// Reads `PLAN.md`; never fails.
    pub fn parse(path: Arc<str>, bytes: &[u8]) -> Plan {
        let mut plan = Plan::parse_front(path, bytes);
        plan.read_graph();
        plan
    }

    /// Reads all but the graph, which [`Plan::read_graph`] adds: of a large feature it takes as long as many units.
    pub(super) fn parse_front(path: Arc<str>, bytes: &[u8]) -> Plan {
        let doc = Document::parse(path, bytes);
        let mut notes = Vec::new();
        let front = doc
            .front
            .as_ref()
            .map_or_else(PlanFront::default, |f| PlanFront::read(&f.root, &mut notes));
        let id = front
            .feature_id
            .as_ref()
            .and_then(|id| FeatureId::parse(&id.value));
        Plan {
            doc,
            front,
            id,
            gates: vec![],
            graph_span: None,
            graph_problems: vec![],
            notes,
        }
    }

    /// Returns the feature's status; a plan without a readable one is only planned.
    pub fn status(&self) -> FeatureStatus {
        let status = self.front.status.as_ref();
        status.map_or(FeatureStatus::Planned, |s| s.value)
    }

    /// Returns what stands in place of a status, where it is none; empty where nothing does.
    pub fn unread_status(&self) -> Option<&str> {
        let is_read = self.front.status.is_some();
        (!is_read).then(|| self.doc.front_text("status"))
    }

    /// Returns what the feature is called, on one line however it is written: every view lists it in a row.
    pub fn title(&self) -> Option<String> {
        let title = self.front.title.as_ref()?;
        Some(Vec::from_iter(title.value.split_whitespace()).join(" "))
    }

    /// Returns who arms the next gate.
    pub fn autonomy(&self) -> Autonomy {
        let autonomy = self.front.autonomy_default.as_ref();
        autonomy.map_or(Autonomy::Review, |a| a.value)
    }

    /// Returns the directory its work lies in, when that is not all of the repository.
    pub fn root(&self) -> Option<&str> {
        let root = self.front.root.as_ref()?.value.trim();
        let root = root.trim_start_matches("./").trim_end_matches('/');
        (!matches!(root, "" | ".")).then_some(root)
    }

    /// Returns the branch it lands on, when named.
    pub fn branch(&self) -> Option<&str> {
        self.front.branch.as_ref().map(|b| b.value.as_str())
    }

    /// Reads the graph of a plan whose frontmatter was read.
    pub(super) fn read_graph(&mut self) {
        let mut found: Option<(Span, Node)> = None;
        for block in self.doc.fenced("yaml") {
            // One second block is a finding, and so are ten: the rest changes nothing.
            if self.graph_problems.len() > 100 {
                break;
            }
            // A block about something else may be anything; only one that names gates is ours.
            if !block
                .text
                .lines()
                .any(|line| line.starts_with("gates:") || line.starts_with("\"gates\""))
            {
                continue;
            }
            let (node, errors) = yaml::parse(&block.text, block.span.start);
            self.graph_problems
                .extend(errors.into_iter().map(GraphProblem::Yaml));
            let Some(node) = node.filter(|n| n.get("gates").is_some()) else {
                continue;
            };
            match &found {
                None => found = Some((block.span.clone(), node)),
                Some((first, _)) => self.graph_problems.push(GraphProblem::SecondBlock {
                    span: block.span.clone(),
                    first: first.clone(),
                }),
            }
        }
        let Some((span, node)) = found else {
            if self.graph_problems.is_empty() {
                self.graph_problems.push(GraphProblem::NoBlock);
            }
            return;
        };
        self.graph_span = Some(span);
        let mut reader = GraphReader {
            problems: &mut self.graph_problems,
        };
        self.gates = reader.gates(&node);
    }
}
