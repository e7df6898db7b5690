/** All that happens in a run, in the order in which the extension host sees it. */
import type { ApplyEdits, ApplyOutcome } from "../../../src/core/ground/ports";
import type { LogRecord } from "../../../src/shared/records";
import type { AgentOp, OutsideOp, Plan, ReviewOp, UserOp } from "./plan";

/** The edit that a call asks for, in words of our own: what an independent hand makes of a text. */
export interface Intent {
  tool: Exclude<AgentOp, "Read">;
  /** in order; exact, each standing once in the text that the session knows */
  replacements: [before: string, after: string][];
  /** Write: all of it */
  content?: string;
  /** the agent's marks in it */
  marks: string[];
  /** the text as the session knows it */
  known: string;
}

export type Happening =
  /** Somebody begins something: `number` names it. */
  | { kind: "begin"; number: number; who: "user"; op: UserOp; marks: string[] }
  | { kind: "begin"; number: number; who: "outside"; op: OutsideOp; marks: string[] }
  | { kind: "begin"; number: number; who: "review"; op: ReviewOp }
  | { kind: "begin"; number: number; who: "agent"; agent: number; op: AgentOp; intent?: Intent }
  /** `note`: how it went, for people */
  | { kind: "end"; number: number; note: string }
  /** the editor's text changed; `disk`: what is on disk at that moment */
  | { kind: "buffer"; text: string; dirty: boolean; reason: "undo" | "redo" | undefined; disk: string | undefined }
  | { kind: "opened"; text: string; dirty: boolean }
  | { kind: "closed" }
  /** what is on disk by then; undefined: nothing */
  | { kind: "disk"; text: string | undefined; by: "start" | "outside" | "save" | "agent" }
  /** Strata reads the file: what it is told */
  | { kind: "read"; agent: number; text: string; sha256: string }
  | { kind: "applying"; agent: number; apply: number; change: ApplyEdits }
  | { kind: "applied"; agent: number; apply: number; outcome: ApplyOutcome | { kind: "failed"; error: string } }
  /** A rewind puts the file back; what is on disk right before, and right after. */
  | { kind: "putting"; number: number; text: string | undefined }
  | { kind: "put"; number: number; outcome: string; text: string | undefined }
  | { kind: "record"; agent: number; record: LogRecord }
  /** A person allows an edit, perhaps with marks of their own in it: `before` becomes `accepted`. */
  | { kind: "allowed"; agent: number; before: string; proposed: string; accepted: string; marks: string[] }
  /** everybody is done, and the editor had the time to follow the disk; `shown`: what an editor shows, and whether it is saved */
  | { kind: "end of run"; disk: string | undefined; shown: Shown | undefined };

export interface Shown {
  text: string;
  /** as its tab says: a document that was typed into while it was saved counts as saved until the next key */
  dirty: boolean;
}

export type Trace = {
  plan: Plan;
  happenings: (Happening & { ms: number })[];
};

export class Recorder {
  readonly happenings: Trace["happenings"] = [];
  private readonly start = performance.now();
  private numbers = 0;

  add(happening: Happening): void {
    this.happenings.push({ ...happening, ms: performance.now() - this.start });
  }

  /** A number for what begins. */
  number(): number {
    return ++this.numbers;
  }
}

/** The whole run, a line each, for people. */
export function traceText({ happenings }: Trace): string {
  return happenings.map(happening => `${happening.ms.toFixed(1).padStart(8)}  ${lineOf(happening)}`).join("\n");
}

function lineOf(happening: Happening): string {
  switch (happening.kind) {
    case "begin":
      return `${happening.who} ${"agent" in happening ? happening.agent : ""} #${happening.number} ${happening.op} ${details(happening)}`;
    case "end":
      return `  end #${happening.number}: ${happening.note}`;
    case "buffer":
      return `    buffer ${happening.reason ?? ""}${happening.dirty ? " dirty" : " clean"} ${JSON.stringify(happening.text)}`;
    case "opened":
      return `    opened${happening.dirty ? " dirty" : " clean"} ${JSON.stringify(happening.text)}`;
    case "closed":
      return "    closed";
    case "disk":
      return `    disk (${happening.by}) ${JSON.stringify(happening.text)}`;
    case "read":
      return `    agent ${happening.agent} reads ${happening.sha256.slice(0, 8)} ${JSON.stringify(happening.text)}`;
    case "applying":
      return `    agent ${happening.agent} applies ${JSON.stringify(happening.change.edits)} on ${happening.change.base?.slice(0, 8)}`;
    case "applied":
      return `    agent ${happening.agent} applied: ${outcomeText(happening.outcome)}`;
    case "putting":
      return `    a rewind finds ${JSON.stringify(happening.text)}`;
    case "put":
      return `    a rewind leaves ${JSON.stringify(happening.text)}: ${happening.outcome}`;
    case "allowed":
      return `    agent ${happening.agent} is allowed${happening.marks.length > 0 ? ", changed" : ""} ${JSON.stringify(happening.accepted)}`;
    case "end of run":
      return `end, shown ${JSON.stringify(happening.shown)}, on disk ${JSON.stringify(happening.disk)}`;
    case "record":
      return `    agent ${happening.agent} log: ${recordText(happening.record)}`;
  }
}

function details(begin: Extract<Happening, { kind: "begin" }>): string {
  if (begin.who === "review") return "";
  if (begin.who !== "agent") return begin.marks.join("");
  const { intent } = begin;
  if (!intent) return "";
  const wanted = intent.content === undefined ? intent.replacements : intent.content;
  return `${JSON.stringify(wanted)} knowing ${JSON.stringify(intent.known)}`;
}

function outcomeText(outcome: Extract<Happening, { kind: "applied" }>["outcome"]): string {
  if (outcome.kind !== "applied") return JSON.stringify(outcome);
  const { sha256, dirty } = outcome.stamp;
  return `${outcome.saved ? "saved" : "not saved"}, ${dirty ? "dirty" : "clean"} ${sha256.slice(0, 8)} ${JSON.stringify(outcome.text)}`;
}

function recordText(record: LogRecord): string {
  if (record.kind === "approval") return record.answer ? `answered ${record.answer.decision}` : "asked";
  if (record.kind !== "result") return record.kind;
  return `result ${record.error?.code ?? record.status} ${record.digest}`;
}
