/** An agent at work: a whole session whose model edits what it knows of the file, and a person who answers its questions. */

import { SessionRewind } from "../../../src/core/agent/session/sessionRewind";
import { SessionReview } from "../../../src/core/changes/review/sessionReview";
import { Intents } from "../../../src/core/changes/timeline/intents";
import { Restorer } from "../../../src/core/changes/timeline/restorer";
import { Timeline } from "../../../src/core/changes/timeline/timeline";
import type { Files } from "../../../src/core/ground/ports";
import { Snapshots } from "../../../src/core/log/snapshots";
import { diskStates } from "../../../src/node/baselines/diskStates";
import { nodeHash } from "../../../src/node/system";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { UnsavedDocuments } from "../../../src/vscode/files/unsavedDocuments";
import { DrivenSession } from "../../fakes/drivenSession";
import { Random } from "../../fakes/random";
import { marksIn } from "./marks";
import type { Scene } from "./people";
import type { AgentOp } from "./plan";
import type { BrokenDisk } from "./run";
import type { Intent } from "./trace";
import { recordingDisk, recordingFiles } from "./world";

/** By this number, no agent reads or writes. */
const REVIEWER = -1;

export class Agent {
  private calls = 0;
  private reviewed: SessionReview | undefined;
  private rewound: SessionRewind | undefined;
  private readonly answers: Random;
  private readonly answering = new Set<Promise<void>>();

  private constructor(
    private readonly scene: Scene,
    private readonly agent: number,
    private readonly brokenDisk: BrokenDisk,
    private readonly driven: () => DrivenSession,
  ) {
    this.answers = new Random(scene.plan.answers + agent);
  }

  /** @param files what its tools work on; @param disk puts something broken between its rewinds and the disk */
  static async start(scene: Scene, agent: number, files: Files, disk: BrokenDisk): Promise<Agent> {
    let driven: DrivenSession | undefined;
    const made = new Agent(scene, agent, disk, () => driven as DrivenSession);
    driven = await DrivenSession.start({
      mode: scene.plan.mode,
      on: { files, search: scene.world.search },
      onRecord: record => made.heard(record),
    });
    return made;
  }

  /** The session's, on files that are recorded as somebody else's: what it does is part of no call. */
  get review(): SessionReview {
    const { history } = this.driven().session;
    const logger = { log: () => undefined };
    const files = recordingFiles(this.scene.world.files, REVIEWER, this.scene);
    const snapshots = new Snapshots(history.files, { hash: nodeHash, logger });
    const intents = new Intents({ history, files });
    const timeline = new Timeline(history);
    this.reviewed ??= new SessionReview({
      ...{ history, files, snapshots, timeline },
      restorer: new Restorer({ history, timeline, files, snapshots, intents }),
      requireWritable: () => undefined,
    });
    return this.reviewed;
  }

  /** As `review`; at any moment, not only between turns. */
  get rewind(): SessionRewind {
    const { history } = this.driven().session;
    const { world } = this.scene;
    let ids = 0;
    this.rewound ??= new SessionRewind({
      ...{
        history,
        timeline: new Timeline(history),
        commands: { flush: async () => undefined },
        ids: { next: prefix => `${prefix}_fuzz${++ids}` },
      },
      files: {
        files: recordingFiles(world.files, REVIEWER, this.scene),
        disk: this.brokenDisk(recordingDisk(diskStates, this.scene), this.scene),
        unsaved: new UnsavedDocuments(world.files),
      },
      running: () => [],
      requireWritable: () => undefined,
      requireIdle: () => undefined,
      whileBusy: async work => void (await work(new AbortController().signal)),
    });
    return this.rewound;
  }

  async act(op: AgentOp, random: Random): Promise<void> {
    const { recorder, marks, plan } = this.scene;
    const known = this.known();
    const intent =
      op === "Read" || known === undefined ? undefined : intentOf(op, known, random, () => marks.make("agent"));
    const number = recorder.number();
    const name = intent ? intent.tool : "Read";
    recorder.add({ kind: "begin", number, who: "agent", agent: this.agent, op: name, ...(intent && { intent }) });
    const told = await this.driven().call(name, this.input(intent));
    recorder.add({ kind: "end", number, note: `${told.status}\n${told.text}` });
    if (told.status === "NOT_FOUND" || plan.path === "") return;
  }

  async close(): Promise<void> {
    await this.driven().close();
    await Promise.all(this.answering);
  }

  private input(intent: Intent | undefined): Json {
    const file_path = this.scene.plan.path;
    // The same call again and again would be taken for a model that is stuck.
    if (!intent) return { file_path, limit: 2000 - ++this.calls };
    const edits = intent.replacements.map(([old_string, new_string]) => ({ old_string, new_string }));
    if (intent.tool === "Write") return { file_path, content: intent.content ?? "" };
    return intent.tool === "MultiEdit" ? { file_path, edits } : { file_path, ...edits[0] };
  }

  /** What the session knows of the file: the text of its newest stamp. */
  private known(): string | undefined {
    const { recorder } = this.scene;
    const { stamps } = this.driven().session.history.conversation;
    const sha256 = [...stamps.values()].at(-1)?.sha256;
    for (const happening of recorder.happenings.toReversed()) {
      if (happening.kind === "read" && happening.sha256 === sha256) return happening.text;
      if (happening.kind !== "applied" || happening.outcome.kind !== "applied") continue;
      if (happening.outcome.stamp.sha256 === sha256) return happening.outcome.text;
    }
    return undefined;
  }

  private heard(record: LogRecord): void {
    this.scene.recorder.add({ kind: "record", agent: this.agent, record });
    if (record.kind !== "approval" || record.answer) return;
    const answering = this.answer(record.approvalId).finally(() => this.answering.delete(answering));
    this.answering.add(answering);
  }

  /** After a moment, as a person does: yes, mostly, or yes with a change. */
  private async answer(approvalId: string): Promise<void> {
    const wait = this.answers.chance(0.3) ? 0 : this.answers.int(1, 40);
    const decision = this.answers.chance(0.75) ? "allow" : "deny";
    const changes = this.answers.chance(0.35);
    const dice = this.answers.fork();
    await new Promise(resolve => setTimeout(resolve, wait));
    const { session } = this.driven();
    const proposal = session.proposal(approvalId);
    if (decision === "deny" || !proposal) return session.answer(approvalId, { decision, scope: "once" });
    const { before, after: proposed } = proposal;
    const marks = changes ? [this.scene.marks.make("reviewer")] : [];
    const accepted = marks.length > 0 ? reviewed(proposed, marks[0] ?? "", dice) : proposed;
    this.scene.recorder.add({ kind: "allowed", agent: this.agent, before: before ?? "", proposed, accepted, marks });
    session.answer(approvalId, { decision, scope: "once" }, changes ? accepted : undefined);
  }
}

/** A mark more, at the end of a line or in one of its own. */
function reviewed(text: string, mark: string, random: Random): string {
  const lines = text.split("\n");
  const at = random.int(0, lines.length - 1);
  if (random.chance(0.5)) lines.splice(at, 0, `${mark} reviewed`);
  else lines[at] = (lines[at] ?? "").replace(/\r?$/, ` ${mark}$&`);
  return lines.join("\n");
}

function intentOf(
  tool: Exclude<AgentOp, "Read">,
  known: string,
  random: Random,
  mark: () => string,
): Intent | undefined {
  const lines = known.replaceAll("\r\n", "\n").split("\n");
  const marks: string[] = [];
  const made = () => {
    marks.push(mark());
    return marks.at(-1) as string;
  };
  if (tool === "Write") {
    const count = random.int(1, 2);
    for (let edit = 0; edit < count; edit += 1) change(lines, random.int(0, lines.length - 1), 1, random, made);
    return { tool, replacements: [], content: lines.join("\n"), marks, known };
  }
  const replacements: [string, string][] = [];
  const places = tool === "Edit" ? 1 : random.int(2, 3);
  for (let edit = 0; edit < places; edit += 1) {
    const found = quote(lines, random);
    if (!found) continue;
    const after = lines.slice(found.at, found.at + found.count);
    change(after, random.int(0, found.count - 1), found.count, random, made);
    const old = lines.slice(found.at, found.at + found.count).join("\n");
    lines.splice(found.at, found.count, ...after);
    replacements.push([old, after.join("\n")]);
  }
  return replacements.length > 0 ? { tool, replacements, marks, known } : undefined;
}

/** One to three lines that stand in the text once. */
function quote(lines: readonly string[], random: Random): { at: number; count: number } | undefined {
  const text = lines.join("\n");
  for (let tries = 0; tries < 10; tries += 1) {
    const count = random.int(1, Math.min(3, lines.length));
    const at = random.int(0, lines.length - count);
    const old = lines.slice(at, at + count).join("\n");
    if (old.trim() !== "" && text.split(old).length === 2) return { at, count };
  }
  return undefined;
}

/** Marks a line, puts one after it, or something else in its place. What somebody else marked is always kept. */
function change(lines: string[], at: number, count: number, random: Random, mark: () => string): void {
  const kind = random.weighted({ append: 4, insert: 3, replace: 2 });
  const line = lines[at] ?? "";
  if (kind === "insert") lines.splice(at + 1, 0, `agent  ${mark()}`);
  else if (kind === "replace" && marksIn(line).length === 0) lines[at] = `replaced ${mark()}${count > 1 ? "" : "  !"}`;
  else lines[at] = `${line} ${mark()}`;
}
