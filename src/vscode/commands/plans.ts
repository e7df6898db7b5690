/** The commands on plans: of the plan in the editor, else of the newest one of the session that is shown. */
import type * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import { SessionError } from "../../core/ground/ports";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { modeWords, type PermissionMode, permissionModes } from "../../shared/settingValues";
import { type PlanDocuments, planResource } from "../panel/conversation/plans";
import type { PanelHost } from "../panel/host/panelHost";
import type { Sessions } from "../panel/sessions/sessions";
import { choose } from "../platform/messages";

interface PlanCommandDeps {
  sessions: Sessions;
  plans: PlanDocuments;
  panel: PanelHost;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

export function planCommands(deps: PlanCommandDeps) {
  const { sessions, plans } = deps;
  return {
    async openPlan() {
      const { session, key } = newestPlan(await sessions.show());
      await plans.open(session, key);
    },
    async carryOutPlan(argument: unknown, more: unknown) {
      refuseWhereNot(deps);
      const uri = planResource(argument);
      const mode = givenMode(argument) ?? givenMode(more) ?? (await pickMode());
      if (mode) await act(deps, uri, (session, key) => plans.carryOut(session, key, mode));
    },
    async sendPlanBack(argument: unknown) {
      refuseWhereNot(deps);
      await act(deps, planResource(argument), (session, key) => plans.sendBack(session, key));
    },
    endPlan: async () => (await sessions.show()).plans.end(),
  };
}

/** Who starts it sees it go on. */
async function act(
  { sessions, plans, panel }: PlanCommandDeps,
  uri: vscode.Uri | undefined,
  work: (session: Session, key: string) => Promise<void>,
): Promise<void> {
  const before = sessions.current;
  await sessions.active.reveal();
  const { session, key } = uri ? await plans.ofDocument(uri) : newestPlan(await sessions.show());
  await work(session, key);
  if (uri && session !== before) await panel.sendSnapshot(session);
}

function refuseWhereNot({ whyNot }: PlanCommandDeps): void {
  const why = whyNot();
  if (why) throw new SessionError(why);
}

function newestPlan(session: Session): { session: Session; key: string } {
  const plan = session.history.records.findLast(record => record.kind === "plan" && record.op === "proposed");
  if (plan) return { session, key: plan.id };
  throw new SessionError(t("This session has no plan. Choose the mode “Plan only” and describe the task."));
}

/** In which a plan can be carried out. */
const carryingOut = permissionModes.filter(mode => mode !== "plan");

/** "edits" or `{ mode: "edits" }`, as a key binding gives it */
function givenMode(argument: unknown): PermissionMode | undefined {
  const named = isObject(argument) ? argument.mode : argument;
  return carryingOut.find(mode => mode === named);
}

/** As lists of VS Code have it. */
export function modeItem(mode: PermissionMode) {
  const { name: label, meaning: detail } = modeWords(mode);
  return { mode, label, detail };
}

async function pickMode(): Promise<PermissionMode | undefined> {
  const items = carryingOut.map(modeItem);
  const options = { title: t("Carry out the plan"), placeHolder: t("What may run without asking?") };
  return (await choose(items, options))?.mode;
}
