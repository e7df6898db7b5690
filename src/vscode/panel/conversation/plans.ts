/** Plans in the editor: opened when they are proposed, carried out and sent back as they stand there, saved or not. */

import * as vscode from "vscode";
import type { Session } from "../../../core/agent/session/session";
import { type Clock, type Logger, SessionError } from "../../../core/ground/ports";
import { readWholeLog } from "../../../core/log/readLog";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { RecordOf } from "../../../shared/records";
import type { PermissionMode } from "../../../shared/settingValues";
import { openTabs } from "../../editor/documents";
import { logged } from "../../platform/async";
import type { Sessions } from "../sessions/sessions";
import type { EditorActions } from "./editorActions";
import { PLAN_SCHEME, type PlanFileSystem, planPlace, planUri } from "./planFiles";

/** ms: who typed in an editor so short a time ago goes on typing there */
const TYPING_MS = 5_000;

type PlanDeps = { sessions: Sessions; files: PlanFileSystem; editor: EditorActions; logger: Logger; clock: Clock };

export class PlanDocuments implements vscode.Disposable {
  private typedAt = Number.NEGATIVE_INFINITY;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: PlanDeps) {
    this.subscriptions = vscode.Disposable.from(
      deps.sessions.subscribeToAll((session, event) => this.hear(session, event)),
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === vscode.TextEditorSelectionChangeKind.Keyboard) this.typedAt = this.deps.clock.steady();
      }),
    );
  }

  /** @param key id of its record. Rejects with SessionError. */
  async open(session: Session, key: string): Promise<void> {
    const plan = await findPlan(session, key);
    if (plan.op === "carried-out") await this.deps.editor.openText(`${t("Plan as it was carried out")}.md`, plan.text);
    else await this.show(session, plan, { focus: true });
  }

  /** @param key id of the record of a proposed plan. Rejects with SessionError and StorageError. */
  async carryOut(session: Session, key: string, mode: PermissionMode): Promise<void> {
    const plan = await findPlan(session, key);
    const document = await this.documentOf(session, plan);
    await session.plans.carryOut(document.getText(), mode, plan.turn);
    // It is in the session's log: a tab that asks whether to save it would be a riddle.
    await document.save();
  }

  async sendBack(session: Session, key: string): Promise<void> {
    const plan = await findPlan(session, key);
    const document = await this.documentOf(session, plan);
    await session.plans.sendBack(document.getText(), plan.text);
    await document.save();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private hear(session: Session, event: AgentEvent): void {
    if (event.type !== "record" || event.record.kind !== "plan" || event.record.op !== "proposed") return;
    if (!this.deps.sessions.isShown(session) || this.deps.clock.steady() - this.typedAt < TYPING_MS) return;
    const failed = logged(this.deps.logger, "warning", "a plan could not be opened in the editor");
    this.show(session, event.record, { focus: false }).catch(failed);
  }

  /** Earlier plans of the session that nobody is changing make room. */
  private async show(session: Session, plan: RecordOf<"plan">, { focus }: { focus: boolean }): Promise<void> {
    const document = await this.documentOf(session, plan);
    await vscode.window.showTextDocument(document, { preview: false, preserveFocus: !focus });
    const earlier = openTabs().filter(({ input, isDirty }) => {
      const place = input instanceof vscode.TabInputText ? planPlace(input.uri) : undefined;
      return !isDirty && place?.sessionId === session.id && place.turn < plan.turn;
    });
    if (earlier.length > 0) await vscode.window.tabGroups.close(earlier, true);
  }

  /** With what was typed in it, also before the window was reloaded. */
  private async documentOf(session: Session, { turn, text }: RecordOf<"plan">): Promise<vscode.TextDocument> {
    const uri = planUri({ sessionId: session.id, turn });
    await this.deps.files.begin(uri, text);
    return vscode.workspace.openTextDocument(uri);
  }

  /** The session that a plan's document belongs to, which is shown then, and the id of the plan's record. Rejects with SessionError. */
  async ofDocument(uri: vscode.Uri): Promise<{ session: Session; key: string }> {
    const place = planPlace(uri);
    if (!place) throw new SessionError(t("This is not a Strata plan."));
    const session = await this.deps.sessions.openById(place.sessionId);
    const { id } = await findRecord(session, ({ op, turn }) => op === "proposed" && turn === place.turn);
    return { session, key: id };
  }
}

/** The plan that a command is about: of the menu's resource, else of the active editor. undefined: of neither */
export function planResource(resource: unknown): vscode.Uri | undefined {
  const uri = resource instanceof vscode.Uri ? resource : vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === PLAN_SCHEME ? uri : undefined;
}

const findPlan = (session: Session, key: string) => findRecord(session, ({ id }) => id === key);

/** The newest such. Rejects with SessionError where there is none. */
async function findRecord({ history }: Session, fits: (plan: RecordOf<"plan">) => boolean): Promise<RecordOf<"plan">> {
  const find = (records: typeof history.records) =>
    records.findLast((record): record is RecordOf<"plan"> => record.kind === "plan" && fits(record));
  const plan = find(history.records) ?? find((await readWholeLog(history.files)).records);
  if (!plan) throw new SessionError(t("This plan is no longer in the session's log."));
  return plan;
}
