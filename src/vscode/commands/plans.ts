/** The commands on plans: of the plan in the editor, else of the newest one of the session that is shown. */
import type * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import { SessionError } from "../../core/ground/ports";
import { t } from "../../shared/l10n";
import type { RecordOf } from "../../shared/records";
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

type PlanCommand = (argument: unknown, more: unknown) => Promise<void>;

export function planCommands(
  deps: PlanCommandDeps,
): Record<"openPlan" | "carryOutPlan" | "sendPlanBack" | "endPlan", PlanCommand> {
  const { sessions, plans } = deps;
  return {
    async openPlan() {
      const session = await sessions.show();
      await plans.open(session, newestPlan(session).id);
    },
    async carryOutPlan(argument, more) {
      refuseWhereNot(deps);
      const uri = planResource(argument);
      const mode = givenMode(argument) ?? givenMode(more) ?? (await pickMode());
      if (mode === undefined) return;
      await act(deps, uri, {
        byDocument: at => plans.carryOutDocument(at, mode),
        ofSession: (session, key) => plans.carryOut(session, key, mode),
      });
    },
    async sendPlanBack(argument) {
      refuseWhereNot(deps);
      await act(deps, planResource(argument), {
        byDocument: at => plans.sendBackDocument(at),
        ofSession: (session, key) => plans.sendBack(session, key),
      });
    },
    async endPlan() {
      await (await sessions.show()).plans.end();
    },
  };
}

/** Who starts it sees it go on. */
async function act(
  { sessions, panel }: PlanCommandDeps,
  uri: vscode.Uri | undefined,
  work: { byDocument(uri: vscode.Uri): Promise<Session>; ofSession(session: Session, key: string): Promise<void> },
): Promise<void> {
  const before = sessions.current;
  await sessions.active.reveal();
  if (uri) {
    const session = await work.byDocument(uri);
    if (session !== before) await panel.sendSnapshot(session);
    return;
  }
  const session = await sessions.show();
  await work.ofSession(session, newestPlan(session).id);
}

function refuseWhereNot({ whyNot }: PlanCommandDeps): void {
  const why = whyNot();
  if (why) throw new SessionError(why);
}

function newestPlan({ history }: Session): RecordOf<"plan"> {
  const plan = history.records.findLast(record => record.kind === "plan" && record.op === "proposed");
  if (plan?.kind === "plan") return plan;
  throw new SessionError(t("This session has no plan. Choose the mode “Plan only” and describe the task."));
}

/** In which a plan can be carried out. */
const carryingOut = permissionModes.filter(mode => mode !== "plan");

/** "edits" or `{ mode: "edits" }`, as a key binding gives it */
function givenMode(argument: unknown): PermissionMode | undefined {
  const named =
    typeof argument === "object" && argument !== null ? new Map(Object.entries(argument)).get("mode") : argument;
  return carryingOut.find(mode => mode === named);
}

async function pickMode(): Promise<PermissionMode | undefined> {
  const items = carryingOut.map(mode => {
    const { name, meaning } = modeWords(mode);
    return { mode, label: name, detail: meaning };
  });
  const options = { title: t("Carry out the plan"), placeHolder: t("What may run without asking?") };
  return (await choose(items, options))?.mode;
}
