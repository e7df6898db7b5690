/** A workbench whose agent changes files without asking, as the offline model plays it: for what a person does with these changes. */
import type { OfflineAnswer, OfflineScript } from "../../scripts/offline-model/server.mjs";
import { inWorkbench, type Workbench, type WorkbenchOptions } from "./workbench";

export const call = (id: string, name: string, input: object) => ({ id, name, input });

/** These answers one by one, whatever is asked. */
function playing(answers: readonly OfflineAnswer[]): OfflineScript {
  const left = [...answers];
  return () => left.shift() ?? { text: "The script is over." };
}

/** `inWorkbench` for such tests. @param answers what the model plays, whatever it is asked */
export function changing(answers: readonly OfflineAnswer[], options: WorkbenchOptions = {}): Workbench {
  const settings = {
    "strata.permissions.mode": "auto",
    "strata.permissions.runEverything": true,
    ...options.settings,
  };
  return inWorkbench({ script: playing(answers), wide: true, ...options, settings });
}
