/**
 * Before a turn ends by an answer without a call: the model is told once, at most, what it announced and did not do, what it says and
 * the log does not show, and which bound check it left out.
 */

import { type StrataMessage, textOf } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { TurnClaim, WentOn } from "../../shared/turnEnd";
import type { History } from "../log/history";
import { boundChecks } from "../permissions/bindings";
import type { Inject } from "../tool/tool";
import { type LimitPorts, limitReached } from "./turnEnds";

/** Of the injected text, for manifests and people. */
const SOURCE = "turn-end";
/** An answer with one of these is no end of the model's own. */
const CUT = ["length", "tool-calls", "content-filter"];

interface EndDeps {
  ports: LimitPorts;
  history: History;
  inject: Inject;
  isPlan(): boolean;
}

export class EndChecks {
  private claims: TurnClaim[] = [];
  private wentOn: WentOn | undefined;

  constructor(private readonly deps: EndDeps) {}

  /** For the turn's record. @param isDone it ended by its last answer */
  facts(isDone: boolean): Partial<RecordOf<"turnEnd">> {
    const { claims, wentOn } = this;
    return { ...(isDone && claims.length > 0 && { claims }), ...(wentOn && { wentOn }) };
  }

  /** @param steps that the turn took before this answer. false: the model is told with the next request */
  async mayEnd({ finishReason }: { finishReason: string }, steps: number, signal: AbortSignal): Promise<boolean> {
    const { ports, history, inject } = this.deps;
    this.claims = [];
    if (signal.aborted || CUT.includes(finishReason) || this.deps.isPlan()) return true;
    // No start is to wait for their tables.
    const { claimsIn, endReminder, promiseIn } = await import("./claims/claims");
    const { conversation, records } = history;
    const { messages, turn } = conversation;
    const answer = lastWords(messages);
    const checks = boundChecks(ports.settings);
    this.claims = claimsIn({ turn, answer, asked: saidIn(messages), checks, records });
    const promise = promiseIn(answer, saidIn(messages, turn), steps > 0);
    if (promise === undefined && this.claims.length === 0) return true;
    const settings = ports.settings.get();
    const once = `${SOURCE} ${turn}`;
    if (settings["agent.goOn"] === "off" || conversation.injected.has(once)) return true;
    if (records.some(record => record.kind === "result" && record.turn === turn && isRefusal(record))) return true;
    if (steps + 1 >= settings["agent.maxSteps"] || (await limitReached(ports, history))) return true;
    if (!inject.injectSystemOnce(endReminder(promise, this.claims.slice(0, 20)), once, SOURCE)) return true;
    const [first] = this.claims;
    const why = promise !== undefined ? "announced" : first?.kind === "check" ? "check" : "said";
    this.wentOn = { why, words: promise ?? first?.words ?? "" };
    this.claims = [];
    return false;
  }
}

/** A person, a rule or a hook said no, or a question was left without an answer. */
const isRefusal = ({ error, toolName, forms }: RecordOf<"result">): boolean =>
  error?.code === "DENIED" || (toolName === "AskUser" && (error !== undefined || /not answer/i.test(forms.shown)));

/** What the person wrote. @param turn absent: in the session */
const saidIn = (messages: readonly StrataMessage[], turn?: number): string[] =>
  messages
    .filter(({ role, metadata }) => role === "user" && metadata?.kind !== "notice")
    .flatMap(({ metadata, parts }) => (turn === undefined || metadata?.turn === turn ? textOf(parts, "\n\n") : []));

/** The model's words after its last call: an answer that reached the model's limit continues in a second message. */
export function lastWords(messages: readonly StrataMessage[]): string {
  const isWords = ({ role, parts }: StrataMessage) =>
    role === "assistant" && parts.every(part => part.type !== "dynamic-tool");
  const from = messages.findLastIndex(message => !isWords(message)) + 1;
  return messages.slice(from).reduce((text, { parts }) => text + textOf(parts, "\n\n"), "");
}
