/** Questions about permissions, one after the other on one page: to open a page costs most. */
import type { ApprovalAction } from "../../src/shared/approval";
import { openPanel, type PanelPage } from "./panel";
import { Script } from "./script";

type Action = Omit<ApprovalAction, "binds">;

export interface Asker {
  panel: PanelPage;
  /** Asks, and waits until the question can have been noticed; the one before was denied. Gives its id. */
  ask(action: Action): Promise<string>;
}

/** Chooses from the menu of the default button. */
export async function allowBy({ page, button }: PanelPage, item: string | RegExp): Promise<void> {
  await button("More ways to allow").click();
  await page.getByRole("menuitem", { name: item, exact: typeof item === "string" }).click();
}

export async function openAsker(): Promise<Asker> {
  const panel = await openPanel({ snapshot: { state: "running" } });
  const script = new Script().user("go");
  let asked: [id: string, action: Action][] = [];
  return {
    panel,
    async ask(action) {
      const id = `approval_${asked.length + 1}`;
      const mine = { ...action, callId: `call_${id}` };
      for (const [before, its] of asked.slice(-1))
        script.approval(before, its, { decision: "deny", scope: "once", by: "user" });
      script
        .answer(`req_${id}`, "", [[mine.callId, mine.toolName, {}]])
        .approval(id, mine)
        .state("asking");
      asked = [...asked, [id, mine]];
      await panel.play(script.take());
      await panel.page.locator(`[role=alertdialog]`).waitFor();
      await panel.pass(400);
      return id;
    },
  };
}
