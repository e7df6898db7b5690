/** A model that plays a scenario through the SDK's own interface, counts what it is sent, and looks whether it got what it needs. */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import type { ModelConnection, Models } from "../../../src/core/ports";
import { Meter, outputText, textsOf, tokensOf } from "./meter";
import type { Call, Scenario } from "./scenario";

const SUMMARY = `### 🎯 Objectives & Status
* **Objectives**: amounts are rounded up, module by module; the rounds so far were reached.
### 🏗️ Technical Context (Static)
* **Stack**: TypeScript, npm test in shards
### ✅ Completed Milestones (The "Done" Pile)
* [✓] the modules of these rounds - settled, each by its own amount
### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: the rate is applied before rounding, since the currency's smallest unit differs
* **Learnings**: a shard fails in the middle of its output, the line begins with ✗
### 📂 File System State (Snapshot)
* \`src/ledger\`: one amount more in each part that was settled`;

type Answer = { text: string; call?: Call };

/** Lines that a request should have shown and did not. */
export interface Missed {
  what: "read" | "failure";
  call: string;
  line: string;
}

export class ScenarioModel implements Models {
  readonly meter = new Meter();
  readonly missed: Missed[] = [];
  readonly seen = { read: 0, failure: 0 };
  /** requests that did not begin with the one before it, but for its tail */
  readonly breaks: number[] = [];
  /** files read again, since what an edit needs stood nowhere any more */
  forced = 0;
  summaries = 0;
  /** tools and system of the first request */
  fixed: string[][] = [];
  private readonly answers: Answer[];
  private at = 0;
  private open: { id: string; call: Call } | undefined;
  private before: string[] = [];

  constructor(
    { turns }: Scenario,
    private readonly contextWindow: number,
  ) {
    this.answers = turns.flatMap(({ calls }, turn) => [
      ...calls.map((call, step) => ({ text: `Step ${step + 1}: ${call.name} comes next, as planned.`, call })),
      { text: `Task ${turn + 1} is done: what was asked for is changed, one shard still fails in its middle.` },
    ]);
  }

  async connect(): Promise<ModelConnection> {
    return {
      ...{ name: "bench", address: "nowhere", contextWindow: this.contextWindow, providerOptions: {} },
      timeoutMs: 60_000,
      maxAnswerLength: 10_000_000,
      open: beforeSend =>
        new MockLanguageModelV4({
          doStream: async options => {
            await beforeSend(null);
            const chunks = this.answer(options);
            return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) };
          },
        }),
      explain: error => ({ code: "bad-answer", message: String(error), retryable: false }),
    };
  }

  private answer(options: LanguageModelV4CallOptions): LanguageModelV4StreamPart[] {
    const pieces = [[JSON.stringify(options.tools ?? [])], ...options.prompt.map(textsOf)];
    const sent = this.meter.count(pieces);
    this.noteBreak(pieces.map(texts => texts.join("\0")));
    if (this.fixed.length === 0) this.fixed = pieces.slice(0, 2);
    const asked = options.prompt.at(-1);
    if (asked?.role === "user" && textsOf(asked).join("").includes("Write the archive summary")) {
      this.summaries += 1;
      return chunksOf({ text: SUMMARY }, sent, "");
    }
    this.look(options.prompt);
    const answer = this.next(options.prompt);
    const id = `call_${this.at}_${this.forced}`;
    this.open = answer.call ? { id, call: answer.call } : undefined;
    return chunksOf(answer, sent, id);
  }

  private next(prompt: LanguageModelV4CallOptions["prompt"]): Answer {
    const answer = this.answers[this.at];
    if (!answer) throw new Error("the scenario is over");
    const { needs } = answer.call ?? {};
    if (needs && !resultsIn(prompt).some(({ text }) => text.includes(needs.line))) {
      this.forced += 1;
      return { text: "I have to see the file again.", call: { name: needs.read.name, input: needs.read.input } };
    }
    this.at += 1;
    return answer;
  }

  /** The request after a call has to show what the call gave. */
  private look(prompt: LanguageModelV4CallOptions["prompt"]): void {
    const { id, call } = this.open ?? {};
    if (!call?.sees) return;
    const results = resultsIn(prompt);
    const own = results.findLast(result => result.id === id)?.text ?? "";
    const { what, lines } = call.sees;
    const has = (text: string) => lines.every(expected => text.includes(expected));
    // What was read before may be named instead of repeated: then it stands there whole.
    const text = own.includes("the text stands there") ? (results.find(result => has(result.text))?.text ?? own) : own;
    const line = lines.find(expected => !text.includes(expected));
    if (line === undefined) this.seen[what] += 1;
    else this.missed.push({ what, call: `${call.name} ${JSON.stringify(call.input)}`, line });
  }

  private noteBreak(pieces: string[]): void {
    const { before } = this;
    const stable = before.at(-1)?.startsWith("<system-reminder>") ? before.slice(0, -1) : before;
    if (stable.some((piece, at) => piece !== pieces[at])) this.breaks.push(this.meter.bill.requests);
    this.before = pieces;
  }
}

function resultsIn(prompt: LanguageModelV4CallOptions["prompt"]): { id: string; text: string }[] {
  const parts = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
  return parts.flatMap(part =>
    part.type === "tool-result" ? [{ id: part.toolCallId, text: outputText(part.output) }] : [],
  );
}

function chunksOf({ text, call }: Answer, input: number, toolCallId: string): LanguageModelV4StreamPart[] {
  const written = call ? JSON.stringify(call.input) : "";
  const unified = call ? "tool-calls" : "stop";
  const output = tokensOf(text) + tokensOf(written);
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: text },
    { type: "text-end", id: "t" },
    ...(call ? [{ type: "tool-call" as const, toolCallId, toolName: call.name, input: written }] : []),
    {
      type: "finish",
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
    },
  ];
}
