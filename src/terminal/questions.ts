/**
 * Questions on the terminal, permissions and others, one at a time: several tools may ask at once, and one `y` must not answer
 * what was not on the screen yet.
 */

import { createInterface, type Interface } from "node:readline";
import type { ApprovalAction, ApprovalAnswer } from "../shared/approval";
import type { AgentEvent, AgentEventOf } from "../shared/events";
import { eitherOf } from "../shared/format";
import { t } from "../shared/l10n";
import type { QuestionForm, QuestionReply } from "../shared/question";
import type { RecordOf } from "../shared/records";
import type { Shown } from "../shared/shown";
import { shownSentence, visibleLine } from "../shared/shown";
import { type FormStep, formSteps } from "./formSteps";
import { ALWAYS, brokenText, questionText } from "./questionText";

interface TerminalQuestionsDeps {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "by">): void;
  reply(questionId: string, reply: QuestionReply): void;
  /** Ctrl+C in the middle of a question */
  onInterrupt(): void;
  /** The input has ended (Ctrl+D) or failed (its terminal is gone). */
  onEnd(): void;
}

interface PendingForm {
  id: string;
  step: FormStep;
}

function prompt({ rules = [] }: ApprovalAction): Shown {
  const [one, two] = ALWAYS;
  if (rules.length === 0)
    return shownSentence(t("Allow? y = yes, s = yes for this session, anything else = no, told to the model: "));
  return shownSentence(
    t("Allow? y = yes, s = yes for this session, {0} = always, as above, anything else = no, told to the model: "),
    visibleLine(rules.length > 1 ? eitherOf([one, two]) : one),
  );
}

export class TerminalQuestions {
  private waiting: PendingForm[] = [];
  /** questions with secrets in them, as they have to be shown */
  private readonly exact = new Map<string, AgentEventOf<"question">>();
  private readonly exactForms = new Map<string, QuestionForm>();
  /** the one on the screen, and what takes it off */
  private asked: { id: string; withdraw: AbortController } | undefined;
  /** Only while something is asked: in between, the terminal is as it was, and Ctrl+C is a signal. */
  private terminal: Interface | undefined;
  private over = false;

  constructor(private readonly deps: TerminalQuestionsDeps) {
    // It stays: a terminal that is closed fails when the interface on it is closed already.
    deps.input.on("error", () => this.ended());
  }

  /** An event of the session: asks its questions, and takes back those that Stop settled. */
  take(event: AgentEvent): void {
    if (event.type === "question") this.exact.set(event.approvalId, event);
    if (event.type === "form") this.exactForms.set(event.questionId, event.form);
    if (event.type !== "record") return;
    const { record } = event;
    if (record.kind === "turnEnd") this.clear();
    if (record.kind === "question") this.follow(record.questionId, record.answer, () => this.ofForm(record));
    if (record.kind === "approval") this.follow(record.approvalId, record.answer, () => this.ofApproval(record));
  }

  private follow(id: string, answer: unknown, begin: () => FormStep | undefined): void {
    const step = answer === undefined && !this.over ? begin() : undefined;
    if (answer !== undefined) this.settled(id);
    else if (step) this.waiting.push({ id, step });
    this.next();
  }

  private ofForm(record: RecordOf<"question">): FormStep | undefined {
    const form = this.exactForms.get(record.questionId) ?? record.form;
    this.exactForms.delete(record.questionId);
    return formSteps({ ...record, form }, reply => this.deps.reply(record.questionId, reply));
  }

  private ofApproval(record: RecordOf<"approval">): FormStep {
    const action = { ...record.action, ...this.takeExact(record) };
    return {
      text: questionText(action),
      prompt: prompt(action),
      take: line => void this.deps.answer(record.approvalId, parseAnswer(line, action.rules)),
    };
  }

  private takeExact({ approvalId }: RecordOf<"approval">): Partial<ApprovalAction> | undefined {
    const exact = this.exact.get(approvalId);
    this.exact.delete(approvalId);
    return exact && { title: exact.title, detail: exact.detail };
  }

  /** Asks nothing more; the terminal is as it was before. */
  close(): void {
    this.over = true;
    this.clear();
  }

  private clear(): void {
    this.waiting = [];
    if (this.asked) this.settled(this.asked.id);
    this.release();
  }

  private settled(id: string): void {
    this.waiting = this.waiting.filter(question => question.id !== id);
    if (this.asked?.id !== id) return;
    const { withdraw } = this.asked;
    this.asked = undefined;
    withdraw.abort();
    this.deps.output.write("\n");
  }

  private next(): void {
    if (this.asked) return;
    const question = this.waiting.shift();
    if (question) this.ask(question);
    else this.release();
  }

  private ask({ id, step }: PendingForm): void {
    const withdraw = new AbortController();
    this.asked = { id, withdraw };
    const { output } = this.deps;
    const columns = "columns" in output && typeof output.columns === "number" ? output.columns : undefined;
    output.write(`\n${brokenText(step.text, columns)}\n`);
    this.terminal ??= this.open();
    this.terminal.question(step.prompt, { signal: withdraw.signal }, line => {
      this.asked = undefined;
      const next = step.take(line);
      if (next) this.waiting.unshift({ id, step: next });
      // Lines that came with this one are not meant for the next question.
      setImmediate(() => this.next());
    });
  }

  private open(): Interface {
    const terminal = createInterface({ input: this.deps.input, output: this.deps.output });
    terminal.on("SIGINT", () => {
      this.close();
      this.deps.onInterrupt();
    });
    // readline passes failures of its input on
    terminal.on("error", () => this.ended());
    terminal.on("close", () => {
      if (this.terminal === terminal) this.ended();
    });
    return terminal;
  }

  private ended(): void {
    if (this.over) return;
    this.close();
    this.deps.onEnd();
  }

  private release(): void {
    const { terminal } = this;
    this.terminal = undefined;
    terminal?.close();
  }
}

/** All but a yes is a no, with its words for the model. */
export function parseAnswer(line: string, rules: ApprovalAction["rules"] = []): Omit<ApprovalAnswer, "by"> {
  const reply = line.trim();
  const keys: readonly string[] = ALWAYS;
  const always = rules[keys.indexOf(reply.toLowerCase())];
  if (always) return { decision: "allow", scope: "always", rules: always };
  if (/^(y|yes)$/i.test(reply)) return { decision: "allow", scope: "once" };
  if (/^(s|session)$/i.test(reply)) return { decision: "allow", scope: "session" };
  return { decision: "deny", scope: "once", ...(/^(n|no)?$/i.test(reply) ? {} : { words: reply }) };
}
