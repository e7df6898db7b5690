/** Reads what there is for the agent: rules, skills, servers, hooks, models. Starts nothing. */

import type { Session } from "../../../core/agent/session/session";
import type { Hash, Hooks, McpControl, Rules } from "../../../core/ground/ports";
import { lookAtHooks } from "../../../core/guidance/hooks/report";
import type { ModelWays } from "../../../shared/panelProtocol";
import type { PanelSurroundings } from "../../../shared/panelSnapshot";
import { type FoundReport, foundReport } from "./found";

interface FoundReaderDeps {
  rules: Rules;
  mayHaveRules: boolean;
  hooks?: Hooks | undefined;
  hash: Hash;
  servers(): Promise<McpControl>;
  session(): Promise<Session>;
  model(): Promise<PanelSurroundings["model"]>;
  ways(): Promise<ModelWays>;
}

export async function readFound({ rules, mayHaveRules, hooks, hash, ...deps }: FoundReaderDeps): Promise<FoundReport> {
  const readServers = async () => {
    const servers = await deps.servers();
    await servers.refresh();
    return servers.views();
  };
  const [model, ways, rulesFiles, skills, servers, hooksView] = await Promise.all([
    deps.model(),
    deps.ways(),
    rules.read(),
    deps.session().then(session => session.skills.read()),
    readServers(),
    hooks ? lookAtHooks(hooks, hash) : { files: [], broken: [] },
  ]);
  return foundReport({ model, ways, rules: rulesFiles, mayHaveRules, skills, hooks: hooksView, servers });
}
