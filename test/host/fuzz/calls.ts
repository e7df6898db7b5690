/** The agent's calls, put together from what a run's trace says of each. */
import type { RecordOf } from "../../../src/shared/records";
import type { AgentOp } from "./plan";
import type { Happening, Intent, Trace } from "./trace";

export interface Apply {
  /** places in the trace */
  from: number;
  to: number;
  change: Extract<Happening, { kind: "applying" }>["change"];
  outcome: Extract<Happening, { kind: "applied" }>["outcome"];
}

export interface Call {
  agent: number;
  op: AgentOp;
  intent: Intent | undefined;
  /** places in the trace */
  from: number;
  to: number;
  result: RecordOf<"result">;
  /** `ok` or the error's code */
  status: string;
  applies: Apply[];
  /** what a person allowed last */
  allowed: Extract<Happening, { kind: "allowed" }> | undefined;
  /** those of the agent, and of whoever changed its proposal */
  marks: string[];
}

export const withLf = (text: string) => text.replaceAll("\r\n", "\n");

export function callsOf({ happenings }: Trace): Call[] {
  return happenings.flatMap((begin, from) => {
    if (begin.kind !== "begin" || begin.who !== "agent") return [];
    const { agent, op, intent } = begin;
    const to = happenings.findIndex(({ ...other }) => other.kind === "end" && other.number === begin.number);
    const within = happenings.slice(from, to);
    const record = within.find(
      other => other.kind === "record" && other.agent === agent && other.record.kind === "result",
    );
    if (record?.kind !== "record" || record.record.kind !== "result")
      throw new Error(`call ${begin.number} has no result`);
    const result = record.record;
    const status = result.error?.code ?? (result.status === "success" ? "ok" : result.status);
    const answers = within.filter(other => other.kind === "allowed").filter(other => other.agent === agent);
    const marks = [...(intent?.marks ?? []), ...answers.flatMap(answer => answer.marks)];
    const applies = appliesOf(happenings, agent, from, to);
    return [{ agent, op, intent, from, to, result, status, applies, allowed: answers.at(-1), marks }];
  });
}

function appliesOf(happenings: Trace["happenings"], agent: number, from: number, to: number): Apply[] {
  const applies: Apply[] = [];
  for (let at = from; at < to; at += 1) {
    const begin = happenings[at];
    if (begin?.kind !== "applying" || begin.agent !== agent) continue;
    const end = happenings.findIndex(other => other.kind === "applied" && other.apply === begin.apply);
    const ended = happenings[end];
    if (ended?.kind === "applied") applies.push({ from: at, to: end, change: begin.change, outcome: ended.outcome });
  }
  return applies;
}

/** What the call's edit makes of a text; undefined: it does not quote text that stands there once. */
export function made(intent: Intent, text: string): string | undefined {
  if (intent.content !== undefined) return intent.content;
  let now = withLf(text);
  for (const [before, after] of intent.replacements) {
    const parts = now.split(before);
    if (parts.length !== 2) return undefined;
    now = parts.join(after);
  }
  return now;
}

/** Every text of the file that stood at some time between two places of the trace, with `\n`: in the editor or on disk. */
export function textsBetween({ happenings }: Trace, from: number, to: number): Set<string | undefined> {
  const texts = new Set<string | undefined>();
  let [buffer, disk]: [string | undefined, string | undefined] = [undefined, undefined];
  for (const [at, happening] of happenings.entries()) {
    if (at >= to) break;
    if (at === from) for (const standing of [buffer, disk]) texts.add(standing && withLf(standing));
    if (happening.kind === "buffer" || happening.kind === "opened") buffer = happening.text;
    if (happening.kind === "closed") buffer = undefined;
    if (happening.kind === "disk" || happening.kind === "buffer")
      disk = happening.kind === "disk" ? happening.text : happening.disk;
    if (at < from) continue;
    if (happening.kind === "read") texts.add(withLf(happening.text));
    for (const standing of [buffer, disk]) texts.add(standing && withLf(standing));
  }
  return texts;
}
