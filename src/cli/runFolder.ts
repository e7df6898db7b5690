/** Where a run leaves its results (`strata run --out DIR`). With the agent a program of its own. */
import { resolve } from "node:path";
import { version } from "../../package.json";
import type { AgentPorts } from "../core/agent/session/openSession";
import { exportSession } from "../core/proof/exportSession";
import { trajectory } from "../core/proof/trajectory";
import { writeExported } from "../node/exportedFile";
import { gitPatch, isTracked } from "../node/shell/gitState";
import { nodeRunningHash } from "../node/system";
import { t } from "../shared/l10n";
import type { RunCommand } from "../terminal/args";
import { RunFolder } from "../terminal/runFolder";
import { withAgent } from "./agent";
import type { CliOutcome, PlaceArgs } from "./place";

export const withRunFolder = (command: RunCommand, where: PlaceArgs): Promise<CliOutcome> =>
  withAgent(command, where, {
    folder: (workspace, ports) => ({ openFolder: (out, task) => openRunFolder(out, task, workspace, ports) }),
  });

/** Rejects as `RunFolder.open`. @param task what is asked; undefined: a question of its run is answered */
function openRunFolder(out: string, task: string | undefined, workspace: string, ports: AgentPorts) {
  const { storage, ids, clock, hash, surroundings } = ports;
  const { redact } = ports.redactor;
  const [folder, now] = [resolve(out), () => clock.now()];
  return RunFolder.open(folder, task, {
    storage,
    now,
    newSession: () => ids.next("ses"),
    sha256: content => hash.sha256(content),
    redact,
    isTracked: path => isTracked(workspace, path),
    async patch(commit) {
      if (surroundings.trusted()) return gitPatch(workspace, folder, commit);
      return { why: t("This workspace is not trusted, so Git is not run in it (--trust lets it run).") };
    },
    // Other steps of a job read it, which may be other users.
    save: (path, content) => writeExported(path, content, undefined, 0o666),
    exported: files => exportSession(files, { redact, hash, newHash: nodeRunningHash, now, app: version }),
    trajectory: files => trajectory(files, { redact, app: version }),
  });
}
