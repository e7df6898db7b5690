/** Plans as a person deals with them: carried out as they left them, or sent back with what they changed and remarked. */
import { countText, t } from "../../../shared/l10n";
import type { NewRecord } from "../../../shared/records";
import type { PermissionMode } from "../../../shared/settingValues";
import { SessionError } from "../../ground/ports";
import { diffLines, hunksText } from "../../ground/text/diff";
import { withLf } from "../../ground/text/lines";
import { PLAN } from "../../ground/text/sources";
import type { History } from "../../log/history";
import {
  approvedText,
  CARRY_OUT,
  MAX_PLAN,
  planFacts,
  planSteps,
  planTitle,
  sentBackText,
} from "../../log/plans/planText";
import { injectedText } from "../injections";
import type { SessionGate } from "./sessionContext";
import type { MessageAdditions } from "./userMessages";

interface PlanGate extends SessionGate {
  /** Throws SessionError where the mode cannot be chosen. */
  requireMode(mode: PermissionMode): void;
  /** Opens a turn with the person's message. Rejects with StorageError: then nothing was logged. */
  open(text: string, along: MessageAdditions): Promise<void>;
}

export class SessionPlans {
  constructor(
    private readonly history: History,
    private readonly session: PlanGate,
  ) {}

  /** The one that is carried out: it is in every request until it ends. */
  get underWay(): { turn: number; title: string; text: string } | undefined {
    const { carriedOut } = this.history.conversation.plans;
    return carriedOut && { ...carriedOut, title: planTitle(carriedOut.text) };
  }

  /** The newest that can be opened and edited: proposed, else the one that is carried out. undefined: none */
  get newest() {
    const { proposed, carriedOut } = this.history.conversation.plans;
    return proposed ?? carriedOut;
  }

  /**
   * Starts the work: the mode, the plan as the person left it, and the todo list of its steps go to the log with the message
   * that says so, all or nothing. Rejects with SessionError, or with StorageError: then nothing changed.
   * @param proposedIn its turn: where another was proposed since, that one is the plan
   */
  async carryOut(plan: string, mode: PermissionMode, proposedIn?: number): Promise<void> {
    this.session.requireIdle();
    const text = checked(plan);
    const { lastTurn, plans } = this.history.conversation;
    const { proposed } = plans;
    if (proposed !== undefined && proposedIn !== undefined && proposed.turn > proposedIn)
      throw new SessionError(t("There is a newer plan. Carry that one out, or send this one back."));
    if (mode === "plan")
      throw new SessionError(t("In plan mode nothing is carried out. Choose another mode: ask, edits or auto."));
    this.session.requireMode(mode);
    const turn = lastTurn + 1;
    const todos = planSteps(text);
    const records: NewRecord[] = [
      { kind: "mode", mode },
      { kind: "plan", op: "carried-out", turn, ...planFacts(text) },
      // A plan without steps leaves no list that was made for something else.
      { kind: "todo", todos },
    ];
    const change = proposed && planChange(proposed.text, text);
    const isAsProposed = proposed !== undefined && !change && this.tells(proposed.turn);
    // Of one that was not proposed here, all is the person's.
    const hasRemarks = proposed === undefined || (change?.comments ?? 0) > 0;
    const said = injectedText(approvedText(text, { isAsProposed, hasRemarks }));
    const injected = { source: PLAN, fingerprint: `${PLAN} ${turn}`, text: said };
    await this.session.open(CARRY_OUT, { records, injected });
  }

  /**
   * What the person changed and remarked is the next message, in plan mode. Rejects as `carryOut`.
   * @param proposed what they began with
   */
  async sendBack(edited: string, proposed: string): Promise<void> {
    this.session.requireIdle();
    const text = checked(edited);
    const change = planChange(proposed, text);
    if (!change)
      throw new SessionError(
        t("The plan is unchanged. Change it, or write a comment into it: a line that begins with >."),
      );
    this.session.requireMode("plan");
    await this.session.open(sentBackText(change), { records: [{ kind: "mode", mode: "plan" }] });
  }

  /**
   * Ends the one that is carried out, with the todo list that was made from it. The model is told with its next request. Rejects
   * with SessionError, or with StorageError: then nothing changed.
   * @param turn in which it was begun; another is left alone
   */
  async end(turn?: number): Promise<void> {
    this.session.requireIdle();
    const plan = this.underWay;
    if (!plan || (turn !== undefined && turn !== plan.turn))
      throw new SessionError(t("No plan is under way: it was ended already, or all its todos are done."));
    await this.history.appendAll([
      { kind: "planEnd", turn: plan.turn, title: plan.title },
      { kind: "todo", todos: [] },
    ]);
  }

  /** The answer that proposed a turn's plan is in the conversation. */
  private tells(turn: number): boolean {
    return this.history.conversation.messages.some(
      ({ role, metadata }) => role === "assistant" && metadata?.turn === turn,
    );
  }
}

/** Throws SessionError. */
function checked(plan: string): string {
  const text = `${plan.replace(/\r\n?/g, "\n").trim()}\n`;
  if (text === "\n") throw new SessionError(t("The plan is empty. Write what is to be done."));
  if (text.length > MAX_PLAN)
    throw new SessionError(
      t(
        "The plan has {0} characters; {1} is the limit, since it stands in every request. Shorten it.",
        ...[text.length, MAX_PLAN].map(countText),
      ),
    );
  return text;
}

interface PlanChange {
  /** unified, for the model */
  diff: string;
  added: number;
  removed: number;
  /** remarks among what was added: quoted lines, and HTML comments */
  comments: number;
}

/** What a person changed; undefined: nothing but white space at the ends. */
export function planChange(proposed: string, edited: string): PlanChange | undefined {
  const [before, after] = [`${proposed.trim()}\n`, `${withLf(edited).trim()}\n`];
  if (before === after) return undefined;
  const { added, removed, hunks } = diffLines(before, after);
  const comments = hunks.flatMap(({ lines }) => lines).filter(line => /^\+\s*>|^\+.*<!--/.test(line)).length;
  return { diff: `--- plan\n+++ plan\n${hunksText(hunks)}`, added, removed, comments };
}
