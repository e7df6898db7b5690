/** What is injected into one run of a turn: kept until the log is at a place where it may stand (CONTEXT.md, section 8). */
import type { NewRecord } from "../../shared/records";
import { reminder } from "../context/layers";
import type { History } from "../history/history";
import { revertNews } from "../history/reverts";
import { type Ids, type Redactor, ToolError } from "../ports";
import type { StepPlace } from "../requests/request";
import type { Inject } from "../toolkit/tool";

export const MAX_INJECTIONS = 120;

/** The run has had its 120: whoever injects decides what that means. */
export class InjectionLimitError extends ToolError {
  constructor(source: string) {
    super(
      "TOO_LARGE",
      `${source} was not added to the conversation: ${MAX_INJECTIONS} texts were added in this turn, the most that Strata adds. It can be read as a file, or in the next turn.`,
      { source, limit: MAX_INJECTIONS },
    );
    this.name = "InjectionLimitError";
  }
}

const RECALLED = "Recalled from earlier conversation. Nobody says this now, and some of it may be out of date:";

export class Injections implements Inject {
  private waiting: Extract<NewRecord, { kind: "inject" }>[] = [];

  constructor(
    private readonly run: Pick<StepPlace, "turn" | "runId">,
    private readonly deps: { history: History; ids: Ids; redactor: Pick<Redactor, "redact"> },
  ) {}

  injectSystemOnce(text: string, fingerprint: string, source: string): boolean {
    return this.take(text, fingerprint, source);
  }

  injectAssistantOnce(text: string, fingerprint: string, source: string): boolean {
    return this.take(text.trim() && `${RECALLED}\n\n${withoutTags(text)}`, fingerprint, source);
  }

  /**
   * Puts what was taken since into the history. Called where no assistant's message waits for its results. Rejects with
   * StorageError: then nothing of it is there, and the next call tries again.
   */
  async settle(): Promise<void> {
    const { conversation } = this.deps.history;
    const { turn } = this.run;
    // A turn that ended once and goes on has sent requests: what stands before its end stays as it is.
    const place = conversation.step === 0 && conversation.end?.turn !== turn ? "before" : "end";
    const records = this.waiting.map(record => ({ ...record, place }) as const);
    if (records.length === 0) return;
    await this.deps.history.appendAll(records);
    this.waiting = this.waiting.slice(records.length);
  }

  private take(text: string, asked: string, source: string): boolean {
    const { history, ids, redactor } = this.deps;
    const { injected, injections } = history.conversation;
    // As the log has it: nothing gets there unredacted.
    const fingerprint = redactor.redact(asked);
    const has =
      injected.get(fingerprint) === this.run.runId || this.waiting.some(each => each.fingerprint === fingerprint);
    if (has || text.trim() === "") return false;
    if (injections + this.waiting.length >= MAX_INJECTIONS) throw new InjectionLimitError(source);
    const { turn, runId } = this.run;
    const messageId = ids.next("msg");
    const record = { kind: "inject", messageId, turn, runId, place: "end", source, fingerprint } as const;
    this.waiting.push({ ...record, text: reminder(withoutTags(text)) });
    return true;
  }
}

/** As `settle`, with what the user took back of the agent's edits, or made again, since the model heard of it. */
export async function settleNews(
  injections: Injections,
  { conversation }: Pick<History, "conversation">,
): Promise<void> {
  const news = revertNews(conversation);
  try {
    if (news) injections.injectSystemOnce(news.text, news.fingerprint, news.source);
  } catch (error) {
    // The run has had all that it may: the next one is told.
    if (!(error instanceof InjectionLimitError)) throw error;
  }
  await injections.settle();
}

/** Reminder tags stand once, around the whole; inside, a text that brings its own is not to end the reminder early. */
export function withoutTags(text: string): string {
  const wrapped = /^\s*<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/.exec(text);
  return (wrapped?.[1] ?? text).replace(/<(\/?system-reminder)>/g, "[$1]");
}
