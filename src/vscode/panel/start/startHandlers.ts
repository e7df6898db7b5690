/** What the host does for a panel in which nothing was said yet, and for the page of what was found. */
import type { ModelWays } from "../../../shared/startProtocol";
import type { PanelHandlers } from "../host/dispatch";
import type { FoundReport } from "./found";
import { offersFor, type WorkState } from "./workOffers";

export interface StartDeps {
  /** looks for what can answer */
  ways(): Promise<ModelWays>;
  work(): Promise<WorkState>;
  found(): Promise<FoundReport>;
}

export type StartHandlers = Pick<PanelHandlers, "modelWays" | "offers" | "found">;

export const startHandlers = ({ ways, work, found }: StartDeps): StartHandlers => ({
  modelWays: () => ways(),
  offers: async () => ({ offers: offersFor(await work()) }),
  async found() {
    const { sections, lead: summary } = await found();
    return { sections, summary };
  },
});
