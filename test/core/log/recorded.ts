/** A session made by hand, on a disk in memory: turns with calls, compactions, their undo and redo. */

import { takeSnapshot } from "../../../src/core/log/applyCompaction";
import { History } from "../../../src/core/log/history";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import { FakeClock } from "../../fakes/clock";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { hiding } from "../../fakes/redact";
import { MemoryStorage } from "../../fakes/storage";

export const handleFor = (text: string) => `obs:${hash.sha256(text).slice(0, 12)}`;

export class Recorded {
  readonly storage = new MemoryStorage();
  private readonly clock = new FakeClock();
  private readonly ids = new FakeIds();
  history!: History;
  turn = 0;
  private secret: string | undefined;

  static async start(): Promise<Recorded> {
    const recorded = new Recorded();
    recorded.history = new History(await recorded.storage.create("ses_1"), recorded.deps());
    return recorded;
  }

  private deps() {
    return { clock: this.clock, ids: this.ids, hash, emit: () => undefined, redact: this.redact };
  }

  private readonly redact = hiding(text => (this.secret === undefined ? text : text.replaceAll(this.secret, "[mark]")));

  /** From now on this is a secret. */
  hides(secret: string): void {
    this.secret = secret;
  }

  /** As after a restart of the program. */
  async reopen(): Promise<string[]> {
    await this.history.files.close();
    const { history, repairs } = await History.open(await this.storage.open("ses_1"), this.deps());
    this.history = history;
    return repairs.map(({ text }) => text);
  }

  text(name: string): string {
    return this.storage.disk.text("ses_1", name) ?? "";
  }

  put(name: string, text: string): void {
    this.storage.disk.put("ses_1", name, text);
  }

  remove(name: string): void {
    this.storage.disk.sessions.get("ses_1")?.files.delete(name);
  }

  /** A turn: what was asked, the outputs of its calls (`blob`: not shown whole), what was answered. */
  async round(asked: string, outputs: readonly (string | { blob: string })[] = [], answer = "Done."): Promise<number> {
    const { history } = this;
    this.turn += 1;
    await this.say("user", asked);
    const call = await this.say("assistant", "");
    for (const [at, output] of outputs.entries()) await this.result(call, at, output);
    await this.say("assistant", answer);
    const { turn } = this;
    const counts = { steps: 2, toolCalls: outputs.length, toolFailures: 0, usage: { input: 1, output: 1 } };
    await history.append({ kind: "turnEnd", turn, runId: `run_${turn}`, reason: "done", ...counts, durationMs: 1 });
    return turn;
  }

  private async say(role: "user" | "assistant", text: string): Promise<string> {
    const { turn } = this;
    const id = this.ids.next("msg");
    const metadata = { ts: this.clock.now(), turn, step: role === "user" ? 0 : 1, runId: `run_${turn}` };
    const message = {
      id,
      role,
      parts: [{ type: "text" as const, text }],
      metadata: { ...metadata, kind: "normal" as const },
    };
    await this.history.append({ kind: "message", parentId: null, message });
    return id;
  }

  private async result(messageId: string, at: number, output: string | { blob: string }): Promise<void> {
    const inline = typeof output === "string";
    const text = inline ? output : output.blob;
    const sha256 = hash.sha256(text);
    if (!inline) await this.history.files.putBlob(sha256, text);
    await this.history.append({
      ...{ kind: "result", messageId, callId: `call_${this.turn}_${at}`, toolName: "Bash", turn: this.turn, step: 1 },
      ...{ status: "success", digest: `Bash run ${this.turn}.${at}`, durationMs: 1 },
      forms: { shown: inline ? text : "(short)" },
      raw: { sha256, bytes: Buffer.byteLength(text), inline },
    });
  }

  files(folder: string): string[] {
    return [...(this.storage.disk.sessions.get("ses_1")?.files.keys() ?? [])]
      .filter(name => name.startsWith(`${folder}/`))
      .sort();
  }

  compact(turns: readonly number[], words = `Turns ${turns.join(", ")} in short.`): Promise<RecordOf<"compaction">> {
    return compactTurns(this.history, turns, { id: this.ids.next("sum"), text: words });
  }
}

/** What a compaction of these turns does to the log. */
export function compactTurns(
  history: History,
  turns: readonly number[],
  { id, text }: { id: string; text: string },
): Promise<RecordOf<"compaction">> {
  const { conversation } = history;
  const removed = conversation.messages.flatMap(({ id: messageId, metadata }) =>
    turns.includes(metadata?.turn ?? 0) ? [messageId] : [],
  );
  const summary = {
    ...{ id, text, sha256: hash.sha256(text), startTs: 1, cutoffTs: 2 },
    turns: { from: turns[0] ?? 1, to: turns.at(-1) ?? 1 },
    sourceRange: { fromId: removed[0] ?? "", toId: removed.at(-1) ?? "", count: removed.length },
  };
  return history.commitCompaction(
    {
      ...{ kind: "compaction", reason: "manual", removed, folded: [], durationMs: 1 },
      summaries: [...conversation.summaries, summary],
      tokens: { before: 1000, after: 100 },
      rounds: { summarised: turns.length, kept: 1, pinned: 0 },
    },
    () => takeSnapshot(conversation, []),
  );
}

export function turnOf(record: LogRecord): number | undefined {
  if (record.kind === "message") return record.message.metadata.turn;
  return record.kind === "result" || record.kind === "turnEnd" ? record.turn : undefined;
}
