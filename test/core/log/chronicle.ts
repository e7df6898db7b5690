/** What happens to a session's history, one thing after the other, on the real `History`. What that is: chronicles.ts. */

import { undoable } from "../../../src/core/agent/session/sessionContext";
import type { SessionFiles } from "../../../src/core/ground/ports";
import type { Conversation } from "../../../src/core/log/conversation";
import { History, type HistoryDeps } from "../../../src/core/log/history";
import type { MessageMetadata, MessagePart } from "../../../src/shared/messages";
import type { LogRecord, NewRecord } from "../../../src/shared/records";
import { compactMessages } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { messageRecord, resultRecord, turnEndRecord } from "../../fakes/records";
import { asItIs } from "../../fakes/redact";

export interface Output {
  tool: "Read" | "Bash";
  text: string;
  kept: boolean;
  folded: boolean;
  failed: boolean;
  /** the call changed a file, and the folder of the next commands */
  changes: boolean;
}

export type Deed =
  | { does: "ask"; text: string }
  /** null: the call has no result yet */
  | { does: "step"; text: string; outputs: (Output | null)[] }
  | { does: "end"; reason: "done" | "stopped" }
  | { does: "say"; record: NewRecord }
  | { does: "pin"; pick: number; pinned: boolean }
  | { does: "pending"; op: "added" | "edited" | "removed"; which: number; text: string }
  | { does: "inject"; place: "before" | "end"; source: string; text: string }
  | { does: "fold"; pick: number }
  /** keep: so many messages at the end */
  | { does: "compact"; keep: number }
  | { does: "undo" }
  | { does: "redo" };

/** @param process tells the ids of one process from those of another */
export function historyDeps(process = "p", now: () => number = () => 1): HistoryDeps {
  let count = 0;
  return {
    clock: { now },
    ids: { next: prefix => `${prefix}_${process}${++count}` },
    emit: () => undefined,
    redact: asItIs,
    hash,
  };
}

export class Chronicle {
  /** what was appended, as it can be appended to another history */
  readonly said: NewRecord[] = [];
  private count = 0;

  /** @param mark of the ids that it gives */
  constructor(
    readonly history: History,
    private readonly mark = "m",
  ) {}

  static start(files: SessionFiles, deps = historyDeps()): Chronicle {
    return new Chronicle(new History(files, deps));
  }

  get conversation(): Conversation {
    return this.history.conversation;
  }

  async live(deeds: Iterable<Deed>): Promise<this> {
    for (const deed of deeds) await this.do(deed);
    return this;
  }

  /** Resolves with false where there was nothing to do. */
  async do(deed: Deed): Promise<boolean> {
    if (deed.does === "compact") return (await this.compact(deed.keep)) !== undefined;
    if (deed.does === "undo" || deed.does === "redo") return this.turnBack(deed.does);
    const records = this.recordsOf(deed);
    if (records.length === 0) return false;
    await this.history.appendAll(records);
    this.said.push(...records);
    return true;
  }

  /** Summarises all but the newest messages, the pinned rounds and what has no result yet; injected rules go too. */
  async compact(keep: number): Promise<LogRecord | undefined> {
    const { conversation, history } = this;
    const { messages, pins, injectedMessages } = conversation;
    const open = messages.findIndex(({ parts }) =>
      parts.some(part => "state" in part && part.state === "input-available"),
    );
    const end = Math.min(messages.length - keep, open < 0 ? messages.length : open);
    const goes = messages.slice(0, Math.max(0, end)).filter(({ metadata }) => !pins.has(metadata?.turn ?? 0));
    if (goes.length === 0) return undefined;
    const rules = [...injectedMessages].filter(([, source]) => source.startsWith("rules:"));
    const removed = [...new Set([...goes.map(({ id }) => id), ...rules.map(([id]) => id)])];
    const text = `What ${removed.length} messages said.`;
    const place = { turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 0 };
    const sourceRange = { fromId: goes[0]?.id ?? "", toId: goes.at(-1)?.id ?? "", count: goes.length };
    const summary = { id: this.id("sum"), text, sha256: hash.sha256(text), ...place, sourceRange };
    const folded = this.results()
      .slice(-1)
      .filter(({ messageId }) => !removed.includes(messageId));
    const moved = rules.map(([, source]) => source);
    return compactMessages(history, removed, { folded, summaries: [...conversation.summaries, summary] }, moved);
  }

  private async turnBack(what: "undo" | "redo"): Promise<boolean> {
    const record = undoable(this.history.records)[what];
    if (!record) return false;
    if (what === "undo") await this.history.undoCompaction(record);
    else await this.history.redoCompaction(record);
    return true;
  }

  private recordsOf(deed: Exclude<Deed, { does: "compact" | "undo" | "redo" }>): NewRecord[] {
    const { turn, turnOpen, runId, step, messages } = this.conversation;
    switch (deed.does) {
      case "ask":
        return [this.words(deed.text, turnOpen ? {} : { turn: turn + 1, runId: `run${turn + 1}`, kind: "normal" })];
      case "step":
        return turnOpen ? this.step(deed.text, deed.outputs) : [];
      case "end":
        return turnOpen ? [turnEndRecord(turn, { runId, reason: deed.reason, steps: step, toolCalls: 0 })] : [];
      case "say":
        return [deed.record];
      case "pin": {
        const { metadata } = messages[deed.pick % Math.max(1, messages.length)] ?? {};
        return metadata ? [{ kind: "pin", turn: metadata.turn, pinned: deed.pinned }] : [];
      }
      case "pending":
        return [{ kind: "pending", pendingId: `p${deed.which}`, op: deed.op, delivery: "queue", text: deed.text }];
      case "inject": {
        const what = { place: deed.place, source: deed.source, text: deed.text, fingerprint: hash.sha256(deed.text) };
        return turnOpen ? [{ kind: "inject", messageId: this.id("msg"), turn, runId, ...what }] : [];
      }
      case "fold": {
        const results = this.results();
        return results.length > 0
          ? [{ kind: "fold", results: results.slice(deed.pick % results.length).slice(0, 2) }]
          : [];
      }
    }
  }

  private words(text: string, at: Partial<MessageMetadata>): NewRecord {
    const { turn, runId, step } = this.conversation;
    return messageRecord("user", text, { id: this.id("msg"), turn, step, runId, kind: "steer", ...at });
  }

  private step(text: string, outputs: readonly (Output | null)[]): NewRecord[] {
    const { turn, runId } = this.conversation;
    const step = this.conversation.step + 1;
    const id = this.id("msg");
    const calls = outputs.map(
      (output, at): MessagePart => ({
        ...{ type: "dynamic-tool", toolCallId: `c${at}`, state: "input-available" },
        ...{ toolName: output?.tool ?? "Read", input: { command: text, file_path: text } },
      }),
    );
    const more = { turn, step, runId, usage: { input: 9, output: 1 }, requestTokens: 8 };
    const results = outputs.flatMap((output, at) =>
      output ? [resultOf(output, { messageId: id, callId: `c${at}`, turn, step })] : [],
    );
    return [messageRecord("assistant", text, { id, parts: calls, ...more }), ...results];
  }

  private results() {
    return this.conversation.messages.flatMap(({ id, parts }) =>
      parts.flatMap(part =>
        part.type === "dynamic-tool" && part.state === "output-available"
          ? [{ messageId: id, callId: part.toolCallId }]
          : [],
      ),
    );
  }

  private id(prefix: string): string {
    return `${prefix}_${this.mark}${++this.count}`;
  }
}

function resultOf(
  { tool, text, kept, folded, failed, changes }: Output,
  of: { messageId: string; callId: string; turn: number; step: number },
): NewRecord {
  const uri = `file:///app/${of.turn}`;
  const sha256 = hash.sha256(text);
  return resultRecord({
    ...{ ...of, toolName: tool, digest: "", status: failed ? "error" : "success" },
    ...(failed ? { error: { code: "EXIT", message: "Exit code 1" } } : {}),
    forms: { shown: text, ...(kept ? { kept: `kept ${text}` } : {}), ...(folded ? { folded: "folded" } : {}) },
    raw: { sha256, bytes: Buffer.byteLength(text), inline: true },
    reads: [{ uri, sha256, first: 1, last: 2 }],
    stamps: { [uri]: { mtime: 1, sha256, dirty: false } },
    ...(changes
      ? { changes: [{ uri, path: uri, created: false, added: 1, removed: 1, diff: "" }], cwd: `/app/${text.length}` }
      : {}),
  });
}
