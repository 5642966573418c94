//! What a seed stands for: a plan, how its sessions behave, who interferes and where the driver dies.

use super::agent::{Behaviour, CHARGED, UNCHARGED};
use super::hosts::Hosts;
use super::machine::{BRANCH, Files, World};

/// Returns a feature's directory, by its number from 0.
pub(super) fn dir(feature: usize) -> String {
    format!(".gatewalk/features/FEAT-2026-000{}-sim", feature + 1)
}

/// Returns a feature's branch; the first one's is checked out.
pub(super) fn branch(feature: usize) -> String {
    match feature {
        0 => BRANCH.to_owned(),
        other => format!("{BRANCH}{}", other + 1),
    }
}

/// Small, fast and the same everywhere.
#[derive(Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }

    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

pub(super) struct UnitPlan {
    pub(super) id: String,
    pub(super) feature: usize,
    pub(super) after: Vec<String>,
    pub(super) max_attempts: u32,
    /// What the session of each attempt does; the last one again after that.
    charged: Vec<usize>,
    /// What happens before an attempt counts: by number, one after the other.
    uncharged: Vec<Vec<usize>>,
    keeps_tree: bool,
    has_check: bool,
    pub(super) gate: usize,
}

pub(super) struct Scenario {
    /// Walked by one driver, each on a branch of its own.
    pub(super) features: usize,
    pub(super) units: Vec<UnitPlan>,
    pub(super) gates: usize,
    pub(super) jobs: usize,
    /// Whether anything happens that may end differently when it is interrupted elsewhere.
    pub(super) exact: bool,
    pub(super) user: bool,
    pub(super) hosts: Hosts,
}

impl UnitPlan {
    fn roll(
        dice: &mut Dice,
        with_infra: bool,
        (feature, number): (usize, usize),
        before: &[UnitPlan],
    ) -> UnitPlan {
        let earlier = before.iter().filter(|u| u.feature == feature);
        let after = earlier.filter(|_| dice.one_in(3)).map(|u| u.id.clone());
        let after = after.collect();
        let attempts = 3;
        let charged = (0..attempts)
            .map(|_| match dice.one_in(2) {
                true => 0,
                false => dice.below(CHARGED.len() as u64) as usize,
            })
            .collect();
        let mut infra = || {
            let n = if with_infra { dice.below(3) } else { 0 };
            (0..n)
                .map(|_| dice.below(UNCHARGED.len() as u64) as usize)
                .collect::<Vec<_>>()
        };
        let uncharged = (0..attempts).map(|_| infra()).collect();
        UnitPlan {
            id: format!("FEAT-2026-000{}/T{:02}", feature + 1, number + 1),
            feature,
            after,
            max_attempts: 1 + dice.below(3) as u32,
            charged,
            uncharged,
            keeps_tree: dice.one_in(4),
            has_check: dice.one_in(2),
            gate: 0,
        }
    }
}

impl Scenario {
    pub(super) fn new(seed: u64) -> Scenario {
        let mut dice = Dice::new(seed);
        let gates = if dice.one_in(4) { 2 } else { 1 };
        let with_infra = dice.one_in(3);
        let user = dice.one_in(5);
        let (features, jobs) = match dice.below(8) {
            0 => (1, 2),
            1 => (3, 4),
            2 => (3, 1),
            _ => (1, 1),
        };
        let mut units: Vec<UnitPlan> = Vec::new();
        for feature in 0..features {
            let count = 1 + dice.below(4) as usize;
            for number in 0..count {
                let unit = UnitPlan::roll(&mut dice, with_infra, (feature, number), &units);
                let gate = usize::from(gates == 2 && number * 2 >= count);
                units.push(UnitPlan { gate, ..unit });
            }
        }
        let (hosts, each) = match dice.one_in(4) {
            true => (1 + dice.below(3) as usize, 1 + dice.below(3) as usize),
            false => (0, 0),
        };
        Scenario {
            features,
            units,
            gates,
            jobs,
            exact: !with_infra && !user && jobs == 1 && hosts == 0,
            user,
            hosts: Hosts {
                lie: dice.one_in(2),
                salt: seed,
                ..Hosts::new(hosts, each)
            },
        }
    }

    /// Returns a feature of units that hang on nothing, with so many slots on each of ten hosts.
    pub(super) fn wide(units: usize, slots: usize) -> Scenario {
        let unit = |number: usize| UnitPlan {
            id: format!("FEAT-2026-0001/T{:02}", number + 1),
            feature: 0,
            after: vec![],
            max_attempts: 1,
            charged: vec![0],
            uncharged: vec![],
            keeps_tree: false,
            has_check: false,
            gate: 0,
        };
        Scenario {
            features: 1,
            units: (0..units).map(unit).collect(),
            gates: 1,
            jobs: 0,
            exact: false,
            user: false,
            hosts: Hosts::new(10, slots),
        }
    }

    pub(super) fn units_of(&self, feature: usize) -> impl Iterator<Item = &UnitPlan> {
        self.units.iter().filter(move |u| u.feature == feature)
    }

    pub(super) fn unit(&self, id: &str) -> Option<&UnitPlan> {
        self.units.iter().find(|unit| unit.id == id)
    }

    /// Returns what the next session does; `before` sessions ran for the same number already.
    pub(super) fn behaviour(&self, id: &str, number: u32, before: u32) -> &'static Behaviour {
        let Some(unit) = self.unit(id) else {
            return &CHARGED[0];
        };
        let at = (number as usize).saturating_sub(1);
        let uncharged = unit
            .uncharged
            .get(at)
            .and_then(|list| list.get(before as usize));
        if let Some(index) = uncharged {
            return &UNCHARGED[*index];
        }
        let index = unit
            .charged
            .get(at)
            .or(unit.charged.last())
            .copied()
            .unwrap_or(0);
        &CHARGED[index]
    }

    /// Returns the world before the first run.
    pub(super) fn world(&self) -> World {
        let mut files = Files::new();
        let mut put = |path: &str, text: String| {
            drop(files.insert(path.to_owned(), text.into_bytes().into()))
        };
        put("README.md", "sim\n".to_owned());
        put(
            ".gatewalk/verification.yml",
            "code:\n  - name: all\n    command: sim all\n".to_owned(),
        );
        put(
            ".gatewalk/roadmap.md",
            "# Roadmap\n\n| Feature | Goal | Status |\n|---|---|---|\n| FEAT-2026-0001 | Sim | active |\n".to_owned(),
        );
        for feature in 0..self.features {
            let dir = dir(feature);
            let mut gates = String::new();
            for gate in 0..self.gates {
                let number = gate + 1;
                gates.push_str(&format!(
                    "  - gate: {number}\n    file: GATE-0{number}.md\n    work_units:\n"
                ));
                for unit in self.units_of(feature).filter(|u| u.gate == gate) {
                    let name = unit.id.rsplit('/').next().unwrap_or_default();
                    gates.push_str(&format!(
                        "      - id: {}\n        file: WU-{name}.md\n        depends_on: [{}]\n",
                        unit.id,
                        unit.after.join(", ")
                    ));
                }
                put(
                    &format!("{dir}/GATE-0{number}.md"),
                    format!("---\ngate: {number}\nstatus: open\n---\n\n# Gate\n"),
                );
            }
            put(
                &format!("{dir}/PLAN.md"),
                format!(
                    "---\nfeature_id: FEAT-2026-000{}\ntitle: Sim\nbranch: {}\nroadmap_goal: Sim\nstatus: planned\n---\n\n# Sim\n\n```yaml\ngates:\n{gates}```\n",
                    feature + 1,
                    branch(feature)
                ),
            );
            for unit in self.units_of(feature) {
                let name = unit.id.rsplit('/').next().unwrap_or_default();
                let keeps = if unit.keeps_tree {
                    "on_failure: continue\n"
                } else {
                    ""
                };
                let check = if unit.has_check {
                    format!("checks:\n  - name: has\n    run: sim has {name}.txt\n")
                } else {
                    String::new()
                };
                put(
                    &format!("{dir}/WU-{name}.md"),
                    format!(
                        "---\nid: {}\ntype: implementation\nstatus: pending\nmax_attempts: {}\n{keeps}{check}---\n\n# {name}\n\n## Context\n\nx\n\n## Acceptance criteria\n\n1. `sim has` ends with status 0.\n\n## Do not touch\n\nx\n\n## Verification\n\n`sim has`\n\n## Escalation triggers\n\nx\n",
                        unit.id, unit.max_attempts
                    ),
                );
            }
        }
        let mut world = World::default();
        let tree = world.put_tree(files);
        let commit = world.put_commit(&tree, None, "start\n");
        for feature in 0..self.features {
            world
                .refs
                .insert(format!("refs/heads/{}", branch(feature)), commit);
        }
        world.checkout = Some(commit);
        world
    }
}
