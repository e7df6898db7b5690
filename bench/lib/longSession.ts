/**
 * Long sessions, written by the real history, request log and storage, and what people do with them; bundled by
 * bench/history.mjs, a process for each measurement.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AssembleMemo, assemble } from "../../src/core/context/assemble";
import { RequestLog } from "../../src/core/context/requestLog";
import { takeSnapshot } from "../../src/core/log/applyCompaction";
import { listPrompts, olderRecords } from "../../src/core/log/findRecords";
import { resolveHandle } from "../../src/core/log/handles";
import { History } from "../../src/core/log/history";
import { searchLog } from "../../src/core/log/searchLog";
import { verifySession } from "../../src/core/proof/verify";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds } from "../../src/node/system";
import type { LogRecord, NewRecord } from "../../src/shared/records";
import { findInLog } from "../../src/vscode/panel/findInLog";
import { asItIs } from "../../test/fakes/redact";

export const RARE = "needleInTheHay";
const SESSION = "ses_long";
/** Messages of a turn: the user's, one for each call, the answer. */
const CALLS = 3;
const TURNS_PER_ARCHIVE = 100;

interface Shape {
  turns: number;
  /** turns that stay live */
  live: number;
  /** characters of each output */
  output: number;
  /** outputs of this many turns are in blobs, one for each turn, `blobSize` characters long */
  blobs?: number;
  blobSize?: number;
  /** a manifest for each request */
  manifests?: boolean;
}

export const shapes: Record<string, Shape> = {
  /** 10,000 messages, 30 of them live */
  messages: { turns: 2000, live: 6, output: 1500, manifests: true },
  /** 10,000 messages, all of them live */
  live: { turns: 2000, live: 2000, output: 1500 },
  /** 100 MB of records in archives */
  records: { turns: 2006, live: 6, output: 16_300 },
  /** 100 MB of outputs in blobs, called from archives */
  blobs: { turns: 1006, live: 6, output: 100, blobs: 1000, blobSize: 100_000 },
};

const deps = () => ({
  ...{ clock: nodeClock, ids: nodeIds, hash: nodeHash },
  emit: () => undefined,
  redact: asItIs,
});

/** Text of no two calls is the same; the rare word stands once, in the oldest output. */
function words(length: number, seed: number): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < length; at++) {
    const line = `${seed}.${at} src/part${(seed * 7 + at) % 97}/file${at}.ts: expected "value" to equal ${(seed * 31 + at * 17) % 9973} — ok`;
    size += line.length + 1;
    lines.push(line);
  }
  return `${seed === 1 ? `the ${RARE} of it\n` : ""}${lines.join("\n").slice(0, length)}`;
}

/** Writes the session; prints the handle of the rare output. */
export async function make(folder: string, name: string): Promise<void> {
  const shape = shapes[name];
  if (!shape) throw new Error(`no shape ${name}`);
  const files = await new NodeStorage(folder).create(SESSION);
  const history = new History(files, deps());
  const maker = new Maker(history, shape, join(folder, "sessions", SESSION, "blobs"));
  for (let turn = 1; turn <= shape.turns; turn++) {
    await maker.turn(turn);
    const oldest = turn - shape.live - TURNS_PER_ARCHIVE + 1;
    if (oldest > 0 && (oldest % TURNS_PER_ARCHIVE === 1 || turn === shape.turns))
      await maker.compact(turn - shape.live);
  }
  await files.close();
  console.log(`handle ${maker.rare}`);
}

class Maker {
  rare = "";
  private outputs = 0;
  private compacted = false;
  private readonly log: RequestLog;
  private readonly memo: AssembleMemo = new WeakMap();

  constructor(
    private readonly history: History,
    private readonly shape: Shape,
    private readonly blobs: string,
  ) {
    this.log = new RequestLog(history.files, nodeHash, { repaired: false, onRepair: async () => undefined });
    mkdirSync(blobs, { recursive: true });
  }

  async turn(turn: number): Promise<void> {
    await this.history.append(message(turn, "user", `Do number ${turn}`));
    for (let step = 1; step <= CALLS; step++) {
      await this.request(turn, step);
      const callId = `call_${turn}_${step}`;
      const asking = message(turn, "assistant", "", { callId, step });
      await this.history.appendAll([asking, this.result(turn, step, asking.message.id, callId)]);
    }
    await this.request(turn, CALLS + 1);
    await this.history.appendAll([message(turn, "assistant", `Done with ${turn}.`), ended(turn)]);
  }

  async compact(last: number): Promise<void> {
    const { conversation, records } = this.history;
    const goes = records.filter(record => (turnOf(record) ?? last + 1) <= last);
    const removed = goes.flatMap(record => (record.kind === "message" ? [record.message.id] : []));
    const text = `## Summary up to turn ${last}\n${words(1500, last)}`;
    const turns = goes.map(turnOf).filter(turn => turn !== undefined);
    const summary = {
      ...{ id: `sum_${last}`, text, sha256: nodeHash.sha256(text), startTs: 1, cutoffTs: 2 },
      turns: { from: turns[0] ?? 1, to: last },
      sourceRange: { fromId: removed[0] ?? "", toId: removed.at(-1) ?? "", count: removed.length },
    };
    await this.history.commitCompaction(
      {
        ...{ kind: "compaction", reason: "threshold", removed, folded: [], durationMs: 1 },
        summaries: [...conversation.summaries.slice(-8), summary],
        tokens: { before: 160_000, after: 20_000 },
        rounds: { summarised: TURNS_PER_ARCHIVE, kept: this.shape.live, pinned: 0 },
      },
      () => takeSnapshot(conversation, []),
    );
    this.compacted = true;
  }

  private result(turn: number, step: number, messageId: string, callId: string): NewRecord {
    const { output, blobs = 0, blobSize = 0 } = this.shape;
    const inBlob = step === 1 && turn <= blobs;
    const text = words(inBlob ? blobSize : output, ++this.outputs);
    const sha256 = nodeHash.sha256(text);
    this.rare ||= `obs:${sha256.slice(0, 12)}`;
    // As a blob is, without its two syncs: nobody measures how it came there.
    if (inBlob) writeFileSync(join(this.blobs, sha256), text);
    return {
      ...{ kind: "result", messageId, callId, toolName: "Bash", turn, step },
      ...{ status: "success", digest: `Bash step ${turn}.${step} exit 0`, durationMs: 1 },
      forms: { shown: inBlob ? "(shortened)" : text, folded: `Bash step ${turn}.${step}` },
      raw: { sha256, bytes: Buffer.byteLength(text), inline: !inBlob },
    };
  }

  private async request(turn: number, step: number): Promise<void> {
    if (!this.shape.manifests) return;
    const { messages, summaries } = this.history.conversation;
    const request = assemble({
      layers: {
        system: "You are Strata.",
        facts: asItIs("- linux"),
        rules: [],
        tail: [{ source: "tail:todo", text: asItIs("- go on") }],
      },
      tools: [{ name: "Bash", description: asItIs("Runs a command"), inputSchema: { type: "object" } }],
      ...{
        summaries,
        messages,
        turn,
        brief: new Set<number>(),
        settled: turn - 1,
        callOptions: {},
        image: () => undefined,
        hash: nodeHash,
        memo: this.memo,
      },
    });
    const place = { requestId: `req_${turn}_${step}`, runId: `run_${turn}`, turn, step, attempt: 1, ts: 1 };
    const cause = this.compacted ? { cause: "compaction" as const } : {};
    await this.log.write(request, { ...place, ...cause, model: "m", bodySha256: null });
    this.compacted = false;
  }
}

function message(turn: number, role: "user" | "assistant", text: string, call?: { callId: string; step: number }) {
  const metadata = { ts: turn, turn, step: call?.step ?? 0, runId: `run_${turn}`, kind: "normal" as const };
  const called = call && {
    ...{ type: "dynamic-tool" as const, toolName: "Bash", toolCallId: call.callId },
    ...{ state: "input-available" as const, input: { command: `make part${turn}` } },
  };
  return {
    kind: "message" as const,
    parentId: null,
    message: { id: nodeIds.next("msg"), role, parts: called ? [called] : [{ type: "text" as const, text }], metadata },
  };
}

function ended(turn: number): NewRecord {
  const counts = { steps: CALLS + 1, toolCalls: CALLS, toolFailures: 0, usage: { input: 1, output: 1 } };
  return { kind: "turnEnd", turn, runId: `run_${turn}`, reason: "done", ...counts, durationMs: 1 };
}

function turnOf(record: LogRecord): number | undefined {
  if (record.kind === "message") return record.message.metadata.turn;
  return record.kind === "result" || record.kind === "turnEnd" ? record.turn : undefined;
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const cpu = process.cpuUsage();
  const before = performance.now();
  const value = await work();
  const took = performance.now() - before;
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${name} ${took}\n${name}.cpu ${(user + system) / 1000}`);
  return value;
}

const storageOf = (folder: string) => new NodeStorage(folder);

/** Each prints its name and ms, in a process that did nothing before: what a person waits for. */
export const measures: Record<string, (folder: string, handle: string) => Promise<void>> = {
  async open(folder) {
    const open = async () => History.open(await storageOf(folder).open(SESSION), deps());
    const { history, repairs } = await timed("open", open);
    if (repairs.length > 0 || history.archives.length === 0) throw new Error("not the session that was made");
    console.log(`messages ${history.conversation.messages.length}`);
    await timed("older", () => olderRecords(history, history.records[0]?.seq ?? 0, 401));
    await history.files.close();
    await timed("again", async () => (await open()).history.files.close());
  },
  async search(folder) {
    const { history } = await History.open(await storageOf(folder).open(SESSION), deps());
    const { hits } = await timed("search", () => searchLog(history, RARE));
    if (hits.length !== 1) throw new Error(`${hits.length} hits`);
    const none = await timed("none", () => searchLog(history, "nowhereAtAll"));
    if (none.hits.length > 0) throw new Error("hits of nothing");
    await history.files.close();
  },
  async find(folder) {
    const { history } = await History.open(await storageOf(folder).open(SESSION), deps());
    const { prompts } = await timed("prompts", () => listPrompts(history));
    if (prompts.length !== shapes.messages?.turns) throw new Error(`${prompts.length} prompts`);
    await timed("near", () => allHits(history, "ok"));
    await timed("far", () => allHits(history, RARE));
    console.log(`matches ${await timed("whole", () => allHits(history, "Done with"))}`);
    await history.files.close();
  },
  async handle(folder, handle) {
    const { history } = await History.open(await storageOf(folder).open(SESSION), deps());
    const { text } = await timed("handle", () => resolveHandle(history, handle));
    if (!text.includes(RARE)) throw new Error("another text");
    await timed("again", () => resolveHandle(history, handle));
    await history.files.close();
  },
  async verify(folder) {
    const files = await storageOf(folder).open(SESSION, { readOnly: true });
    const report = await timed("verify", () => verifySession(files, nodeHash));
    const { requests, proven, archives, defects } = report;
    if (defects.length > 0 || proven !== requests) throw new Error(JSON.stringify(defects.slice(0, 3)));
    console.log(`requests ${requests}\narchives ${archives}`);
    await files.close();
  },
};

const query = (text: string) => ({ text, matchCase: false, wholeWord: false });

async function allHits(history: History, text: string): Promise<number> {
  const { hits } = await findInLog(history, query(text), new AbortController().signal);
  return hits.reduce((sum, { count }) => sum + count, 0);
}

const [what = "", folder = "", argument = ""] = process.argv.slice(2);
await (what === "make" ? make(folder, argument) : measures[what]?.(folder, argument));
