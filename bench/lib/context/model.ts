/** A model that plays a scenario through the SDK's own interface, counts what it is sent, and looks whether it got what it needs. */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import type { ModelConnection, Models } from "../../../src/core/ground/ports";
import { type CountedMessage, Meter, outputText, textsOf, tokensOf } from "./meter";
import { pricesOf, type RuleName } from "./prices";
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
  what: "read" | "failure" | "recall";
  call: string;
  line: string;
}

export class ScenarioModel implements Models {
  readonly meter = new Meter();
  readonly missed: Missed[] = [];
  readonly seen = { read: 0, failure: 0 };
  /** requests that did not begin with the one before it, but for its tail */
  readonly breaks: number[] = [];
  /** files read again, since what an edit needs stood nowhere any more; calls for what an old output said */
  forced = 0;
  recalls = 0;
  /** readings that nobody had to make, since the text still stood there */
  spared = 0;
  summaries = 0;
  private readonly answers: Answer[];
  private at = 0;
  private open: { id: string; call: Call } | undefined;
  private before: string[] = [];
  private calls = 0;
  /** ids of calls that others ask for later */
  private readonly ids = new Map<string, string>();
  /** ways to an old output that were tried for the call at hand */
  private tried = 0;

  constructor(
    { turns, explains }: Scenario,
    private readonly contextWindow: number,
    private readonly rule: RuleName,
  ) {
    const why = explains ? ` ${WHY}` : "";
    this.answers = turns.flatMap(({ calls, answer }, turn) => [
      ...calls.map((call, step) => ({ text: `Step ${step + 1}: ${call.name} comes next, as planned.${why}`, call })),
      {
        text: answer ?? `Task ${turn + 1} is done: what was asked for is changed, one shard still fails in its middle.`,
      },
    ]);
  }

  async connect(): Promise<ModelConnection> {
    return {
      ...{ name: "bench", address: "nowhere", contextWindow: this.contextWindow, providerOptions: {} },
      cachePoint: { anthropic: { cacheControl: { type: "ephemeral" } } },
      pricesAt: async () => pricesOf(this.rule),
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
    const pieces = [
      { texts: [JSON.stringify(options.tools ?? [])] },
      ...options.prompt.map(message => ({ texts: textsOf(message), isMarked: isMarked(message) })),
    ];
    const sent = this.meter.count(pieces);
    this.noteBreak(pieces.map(({ texts }) => texts.join("\0")));
    const asked = options.prompt.at(-1);
    if (asked?.role === "user" && textsOf(asked).join("").includes("Write the archive summary")) {
      this.summaries += 1;
      return chunksOf({ text: SUMMARY }, sent, "");
    }
    this.look(options.prompt);
    const answer = this.next(options.prompt);
    this.calls += 1;
    const id = `call_${this.calls}`;
    this.open = answer.call ? { id, call: answer.call } : undefined;
    if (answer.call?.key !== undefined) this.ids.set(answer.call.key, id);
    return chunksOf(answer, sent, id);
  }

  /** What is next in the script; what stands in the request is not asked for, what is missing is. */
  private next(prompt: LanguageModelV4CallOptions["prompt"]): Answer {
    for (;;) {
      const answer = this.answers[this.at];
      if (!answer) throw new Error("the scenario is over");
      const { needs, ifMissing, sees, finds } = answer.call ?? {};
      const texts = prompt.flatMap(textsOf);
      const stands = (line: string) => texts.some(text => text.includes(line));
      if (needs && !stands(needs.line)) {
        this.forced += 1;
        return { text: "I have to see the file again.", call: { name: needs.read.name, input: needs.read.input } };
      }
      if (finds && !stands(finds.line) && this.tried < WAYS) {
        this.tried += 1;
        this.recalls += 1;
        const input = this.wayTo(finds, prompt);
        return { text: "I look up what it said.", call: { name: "Recall", input } };
      }
      if (finds && !stands(finds.line)) this.missed.push({ what: "recall", call: finds.key, line: finds.line });
      this.tried = 0;
      this.at += 1;
      if (finds) continue;
      if (!ifMissing || sees?.lines.every(stands) !== true) return answer;
      this.spared += 1;
    }
  }

  /** By the handle where its result stands, else by its turn's, else by words alone. */
  private wayTo(
    { key, line, said }: NonNullable<Call["finds"]>,
    prompt: LanguageModelV4CallOptions["prompt"],
  ): Record<string, string> {
    const query = line.split(":")[0]?.trim() ?? line;
    const result = resultsIn(prompt).find(({ id }) => id === this.ids.get(key))?.text ?? "";
    const texts = prompt.flatMap(textsOf);
    const turn = texts.slice(texts.findLastIndex(text => text.includes(said))).find(text => /turn:\d+/.test(text));
    const handles = [...(result.match(/obs:[0-9a-f]{12}/g)?.slice(-1) ?? []), turn?.match(/turn:\d+/)?.[0]];
    const handle = handles.filter(each => each !== undefined)[this.tried - 1];
    return { query, ...(handle === undefined ? {} : { handle }) };
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

/** ways to an old output, one after the other */
const WAYS = 3;

const WHY =
  "What stood in the last output fits the first of two causes: the sum is rounded before the rate is applied, or the rate comes from another currency. If this shows the same line for all parts, it is the former.";

const isMarked = ({ content, providerOptions }: CountedMessage): boolean =>
  JSON.stringify([providerOptions, typeof content === "string" ? [] : content.slice(-1)]).includes('"cacheControl"');

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
