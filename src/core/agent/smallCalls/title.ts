/**
 * The title of a session: the model for small things is asked once, behind the turns. No turn waits for it; where no name
 * comes, the first words of the first message remain.
 */
import titlePrompt from "../../../../prompts/title.md";
import { type StrataMessage, textOf } from "../../../shared/messages";
import { titleFrom } from "../../../shared/title";
import type { RequestLog } from "../../context/requestLog";
import { renderTemplate, sanitizeText } from "../../ground/text/format";
import type { Conversation } from "../../log/conversation";
import type { History } from "../../log/history";
import { type AskSmallDeps, askSmall } from "./askSmall";

const WORDS = 6;
/** characters of the first message and of the answer to it */
const MAX_ASKED = 1_500;
const MAX_ANSWERED = 600;
/** Longer answers are no titles. */
const MAX_TITLE = 90;
const PATIENCE_MS = 30_000;

export class SessionTitle {
  private asking: Promise<void> | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly deps: Omit<AskSmallDeps, "account"> & { history: History; log: RequestLog }) {}

  /** After a turn. Asks once, where the session has no name yet. */
  turnEnded(): void {
    const { history, settings, logger } = this.deps;
    if (this.asking || history.conversation.end?.reason !== "done" || !settings.get()["sessions.titles"]) return;
    if (!isUnnamed(history.conversation)) return;
    this.asking = this.ask(this.closing.signal).catch(error => {
      if (!this.closing.signal.aborted) logger.log("info", "the session was not named", { error: String(error) });
    });
  }

  /** Cancels the request. Never rejects. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.asking;
  }

  private async ask(signal: AbortSignal): Promise<void> {
    const { history, log, clock } = this.deps;
    const { turn, runId, step } = history.conversation;
    const text = wordsOf(history.conversation.messages);
    const question = {
      purpose: "title" as const,
      runId,
      patience: PATIENCE_MS,
      text,
      instruction: renderTemplate(titlePrompt, { words: String(WORDS) }),
    };
    const deps: AskSmallDeps = {
      ...this.deps,
      account: async (request, sent) => {
        const place = { turn, runId, step, attempt: 1, purpose: "title" as const, ts: clock.now() };
        await log.write(request, { ...place, ...sent });
      },
    };
    const answer = await askSmall(question, deps, signal);
    const title = readTitle(answer.text);
    // The person may have named it meanwhile.
    if (title === undefined || !isUnnamed(history.conversation)) return;
    const { requestId, model, usage } = answer;
    await history.append({ kind: "title", title, requestId, model, ...(usage && { usage }) });
  }
}

const saidIn = (message: StrataMessage | undefined): string => textOf(message?.parts ?? []).trim();

const firstMessage = (messages: readonly StrataMessage[]) =>
  messages.find(({ role, metadata }) => role === "user" && metadata?.turn === 1 && metadata.kind === "normal");

/** Its first words are what it is called. What begins with a summary is too old to be named. */
function isUnnamed({ messages, title }: Conversation): boolean {
  const asked = saidIn(firstMessage(messages));
  return asked !== "" && title === titleFrom(asked);
}

function wordsOf(messages: readonly StrataMessage[]): string {
  const asked = saidIn(firstMessage(messages)).slice(0, MAX_ASKED);
  const answered = saidIn(messages.findLast(({ role }) => role === "assistant")).slice(0, MAX_ANSWERED);
  return `The person: ${asked}\n\nThe agent: ${answered}`;
}

/** Without what models put around a name. */
const bareLine = (line: string) =>
  line.replace(/^[\s#>*_"'`“”„«».-]+|(?<![\s#>*_"'`“”„«».-])[\s#>*_"'`“”„«».-]+$/g, "");

/** The first line of the answer that says something; undefined: it is no name. */
function readTitle(answer: string): string | undefined {
  const line = sanitizeText(answer)
    .split("\n")
    .map(bareLine)
    .find(each => each !== "");
  return line === undefined || line.length > MAX_TITLE ? undefined : titleFrom(line);
}
