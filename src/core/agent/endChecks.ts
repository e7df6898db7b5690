/**
 * Before a turn ends by an answer without a call: the model is told once, at most, what it announced and did not do, what it says and
 * the log does not show, and which bound check it left out.
 */
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { TurnClaim, WentOn } from "../../shared/turnClaims";
import type { History } from "../log/history";
import { turnEvidence } from "../log/turnEvidence";
import type { Inject } from "../tool/tool";
import { type BoundCheck, falseClaims, missingChecks } from "./claims/claims";
import { promiseIn } from "./claims/promise";
import type { TurnPorts } from "./loop";
import { costLimitReached } from "./turnEnds";

/** What is told, for manifests and people. */
const SOURCE = "turn-end";
/** An answer with one of these is no end of the model's own. */
const CUT = ["length", "tool-calls", "content-filter"];

interface EndDeps {
  ports: TurnPorts;
  history: History;
  inject: Inject;
  checks: readonly BoundCheck[];
  isPlan(): boolean;
}

export class EndChecks {
  private claims: TurnClaim[] = [];
  private wentOn: WentOn | undefined;

  constructor(private readonly deps: EndDeps) {}

  /** What the turn's record says of it. @param isDone it ended by its last answer */
  facts(isDone: boolean): Pick<RecordOf<"turnEnd">, "claims" | "wentOn"> {
    const { claims, wentOn } = this;
    return { ...(isDone && claims.length > 0 && { claims }), ...(wentOn && { wentOn }) };
  }

  /** @param steps that the turn took before this answer. false: the model is told with the next request */
  async mayEnd({ finishReason }: { finishReason: string }, steps: number, signal: AbortSignal): Promise<boolean> {
    const { ports, history, inject, checks } = this.deps;
    this.claims = [];
    if (signal.aborted || CUT.includes(finishReason) || this.deps.isPlan()) return true;
    const { conversation, records } = history;
    const answer = lastWords(conversation.messages);
    const evidence = turnEvidence(records);
    this.claims = [
      ...falseClaims(answer, evidence, saidIn(conversation.messages)),
      ...missingChecks(checks, evidence, conversation.turn),
    ];
    const isFree = !records.some(
      record => record.kind === "result" && record.turn === conversation.turn && isRefusal(record),
    );
    const promise = isFree ? promiseIn(answer, saidIn(conversation.messages, conversation.turn)) : undefined;
    const settings = ports.settings.get();
    const once = `${SOURCE} ${conversation.turn}`;
    if (promise === undefined && this.claims.length === 0) return true;
    if (settings["agent.goOn"] === "off" || conversation.injected.has(once)) return true;
    if (steps + 1 >= settings["agent.maxSteps"] || (await costLimitReached(ports, history))) return true;
    if (!inject.injectSystemOnce(reminderText(promise, this.claims), once, SOURCE)) return true;
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

function reminderText(promise: string | undefined, claims: readonly TurnClaim[]): string {
  const lines = claims.map(claim => `- ${told(claim)}`);
  if (promise !== undefined)
    lines.unshift(`- It announced work that no call did: “${promise}”. Do it now, or say why not.`);
  return `Your last message would end the turn, but:\n${lines.join("\n")}\nDo what is missing, or correct what you said. This is told once.`;
}

const told = ({ kind, words, sentence, file }: TurnClaim): string =>
  ({
    failed: `It says “${words}”, but the newest run of that failed.`,
    stale: `It says “${words}”, but files changed after the newest run of that.`,
    notRun: `It says “${words}”, but no command of this session ran that.`,
    noSuchFile: `It says that it wrote \`${words}\`, but nothing in this session did.`,
    check: `The user wants \`${words}\` to end with exit code 0 after the turn's last change (${file}: “${sentence}”), and it did not.`,
  })[kind];

const textOf = (parts: StrataMessage["parts"]): string =>
  parts.flatMap(part => (part.type === "text" ? part.text : [])).join("\n\n");

/** What the person wrote. @param turn absent: in the session */
const saidIn = (messages: readonly StrataMessage[], turn?: number): string[] =>
  messages.flatMap(({ role, metadata, parts }) =>
    role === "user" && metadata?.kind !== "notice" && (turn === undefined || metadata?.turn === turn)
      ? textOf(parts)
      : [],
  );

/** The model's words after its last call: an answer that reached the model's limit continues in a second message. */
export function lastWords(messages: readonly StrataMessage[]): string {
  const isWords = ({ role, parts }: StrataMessage) =>
    role === "assistant" && parts.every(part => part.type !== "dynamic-tool");
  const from = messages.findLastIndex(message => !isWords(message)) + 1;
  return messages
    .slice(from)
    .map(({ parts }) => textOf(parts))
    .join("");
}
