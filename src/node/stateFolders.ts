/** Where Strata keeps its things outside the editor: state by workspace, and the person's own settings and rules. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { realIfThere } from "./paths";

/** The folder for the sessions of a workspace in the terminal: the same for every way to name the workspace. */
export const defaultStorageDir = (workspace: string, env: NodeJS.ProcessEnv = process.env): string =>
  join(stateDir(env), "strata", "workspaces", nameOf(workspace));

/** Working trees that agents have for themselves. No folder of settings or sessions: what lies there asks, and commands do not see it. */
export const worktreesDir = (repository: string, env: NodeJS.ProcessEnv = process.env): string =>
  join(stateDir(env), "strata", "worktrees", nameOf(repository));

function nameOf(workspace: string): string {
  // Where it is not there, the caller says so: this only makes a name.
  const path = realIfThere(workspace) ?? resolve(workspace);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const name =
    basename(path)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 40) || "root";
  return `${hash}-${name}`;
}

/** Where what models cost is kept, for terminal and editor alike. */
export const spendingDir = (env: NodeJS.ProcessEnv = process.env): string => join(stateDir(env), "strata", "spending");

/** Where sessions of all windows and terminals mark their unreviewed edits. */
export const unreviewedDir = (env: NodeJS.ProcessEnv = process.env): string =>
  join(stateDir(env), "strata", "unreviewed");

/** The folder of `settings.json` and the person's own `AGENTS.md`. */
export function configDir(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32") return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "strata");
  return join(absolute(env.XDG_CONFIG_HOME) ?? join(homedir(), ".config"), "strata");
}

function stateDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  const own = absolute(env.XDG_STATE_HOME);
  if (own) return own;
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return join(homedir(), ".local", "state");
}

/** The XDG specification: relative paths are to be ignored. */
const absolute = (path: string | undefined): string | undefined => (path && isAbsolute(path) ? path : undefined);
