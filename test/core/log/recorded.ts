/** A session made by hand, on a disk in memory: turns with calls, compactions, their undo and redo. */

import { History } from "../../../src/core/log/history";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import { FakeClock } from "../../fakes/clock";
import { compactTurns } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { messageRecord, resultRecord, turnEndRecord } from "../../fakes/records";
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
    await history.append(turnEndRecord(turn, { steps: 2, toolCalls: outputs.length }));
    return turn;
  }

  private async say(role: "user" | "assistant", text: string): Promise<string> {
    const { turn } = this;
    const id = this.ids.next("msg");
    const at = { id, ts: this.clock.now(), turn, step: role === "user" ? 0 : 1 };
    await this.history.append(messageRecord(role, text, at));
    return id;
  }

  private async result(messageId: string, at: number, output: string | { blob: string }): Promise<void> {
    const inline = typeof output === "string";
    const text = inline ? output : output.blob;
    const sha256 = hash.sha256(text);
    if (!inline) await this.history.files.putBlob(sha256, text);
    await this.history.append(
      resultRecord({
        ...{ messageId, callId: `call_${this.turn}_${at}`, toolName: "Bash", turn: this.turn },
        ...{ digest: `Bash run ${this.turn}.${at}`, forms: { shown: inline ? text : "(short)" } },
        raw: { sha256, bytes: Buffer.byteLength(text), inline },
      }),
    );
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

export function turnOf(record: LogRecord): number | undefined {
  if (record.kind === "message") return record.message.metadata.turn;
  return record.kind === "result" || record.kind === "turnEnd" ? record.turn : undefined;
}
