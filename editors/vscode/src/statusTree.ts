// What `gatewalk status --json` reports, as the rows of a tree; apart from the editor, so that it can be tried without one.

export interface UnitStatus {
  id: string;
  gate: number;
  title: string;
  type: string;
  status: string;
  running: boolean;
  waiting_for: string[];
  attempts: number;
  cost_usd: number | null;
  why: string | null;
}

export interface FeatureStatus {
  feature: string;
  title: string;
  status: string;
  branch: string | null;
  gates: { gate: number; status: string; units: number }[];
  units: UnitStatus[];
}

export interface Status {
  features: FeatureStatus[];
}

/** One row: what it shows, and what the menus may offer for it. */
export interface Row {
  kind: "feature" | "gate" | "unit";
  id: string;
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  /** What a user can decide here: `arm`, `unblock`, or nothing. */
  decision: "arm" | "unblock" | "none";
  children: Row[];
}

const UNIT_ICONS: Record<string, string> = {
  draft: "edit",
  pending: "circle-outline",
  ready: "circle-outline",
  done: "pass",
  blocked_human: "warning",
  abandoned: "circle-slash",
};

function unitRow(unit: UnitStatus): Row {
  const short = unit.id.split("/").pop() ?? unit.id;
  const parts = [unit.running ? "running" : unit.status.replace("_", " ")];
  if (unit.waiting_for.length > 0 && unit.status !== "done") {
    parts.push(`after ${unit.waiting_for.map((id) => id.split("/").pop()).join(", ")}`);
  }
  if (unit.attempts > 0) parts.push(unit.attempts === 1 ? "1 attempt" : `${unit.attempts} attempts`);
  if (unit.cost_usd !== null) parts.push(`$${unit.cost_usd.toFixed(2)}`);
  return {
    kind: "unit",
    id: unit.id,
    label: `${short}  ${unit.title}`,
    description: parts.join(", "),
    tooltip: unit.why ?? unit.title,
    icon: unit.running ? "sync~spin" : (UNIT_ICONS[unit.status] ?? "question"),
    decision: unit.status === "blocked_human" ? "unblock" : unit.status === "draft" ? "arm" : "none",
    children: [],
  };
}

function gateRow(feature: FeatureStatus, gate: { gate: number; status: string }): Row {
  const units = feature.units.filter((unit) => unit.gate === gate.gate);
  const settled = units.filter((unit) => unit.status === "done" || unit.status === "abandoned").length;
  return {
    kind: "gate",
    id: feature.feature,
    label: `Gate ${gate.gate}`,
    description: `${gate.status.replace("_", " ")}, ${settled}/${units.length} units`,
    tooltip: gate.status === "awaiting_review" ? "Review it, then arm the next" : gate.status,
    icon: gate.status === "passed" ? "pass" : gate.status === "awaiting_review" ? "eye" : "milestone",
    decision: gate.status === "awaiting_review" ? "arm" : "none",
    children: units.map(unitRow),
  };
}

/** The features with their gates and units; what waits for the user opens by itself. */
export function rows(status: Status): Row[] {
  return status.features.map((feature) => ({
    kind: "feature",
    id: feature.feature,
    label: feature.title,
    description: `${feature.feature}, ${feature.status}`,
    tooltip: feature.branch ?? feature.feature,
    icon: feature.status === "done" ? "pass" : "repo-forked",
    decision: feature.units.some((unit) => unit.status === "draft") ? "arm" : "none",
    children: feature.gates.map((gate) => gateRow(feature, gate)),
  }));
}

/** How many places wait for the user: parked units, and gates to review. */
export function waiting(all: Row[]): number {
  const own = (row: Row): number =>
    (row.kind === "unit" && row.decision === "unblock") || (row.kind === "gate" && row.decision === "arm") ? 1 : 0;
  return all.reduce((sum, row) => sum + own(row) + waiting(row.children), 0);
}
