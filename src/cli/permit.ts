/** `strata permit`: what stands where it is asked, and the command that is tried. */
import { join } from "node:path";
import { NodeFiles } from "../node/files";
import { realPath, withSlashes } from "../node/paths";
import { NodeSandbox } from "../node/sandbox/sandbox";
import { NodeShell } from "../node/shell/shell";
import { configDir, spendingDir } from "../node/storage/sessionStorage";
import type { PermitCommand } from "../terminal/args";
import { permit } from "../terminal/permit";
import { bothForms, permissionFlags, readSettings, type SessionPlace } from "./place";

export async function withPermit(command: PermitCommand, place: SessionPlace): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const settings = readSettings(place, permissionFlags(command), true);
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir()]);
  const files = new NodeFiles([workspace]);
  const cwd = withSlashes(await realPath(workspace));
  const roots = () => [{ path: cwd }];
  const sandbox = new NodeSandbox({ roots, ownFolders, keep: join(storageDir, "sandbox") });
  const shell = new NodeShell({ roots: () => [cwd] });
  const code = await permit(command, { files, settings, cwd, shell, ownFolders, sandbox, streams });
  await sandbox.close();
  return code;
}
