/** Where Strata keeps its things outside the editor: state by workspace, and the person's own settings and rules. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";

/** The folder for the sessions of a workspace in the terminal: the same for every way to name the workspace. */
export function defaultStorageDir(workspace: string, env: NodeJS.ProcessEnv = process.env): string {
  const path = canonical(workspace);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const name =
    basename(path)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 40) || "root";
  return join(stateDir(env), "strata", "workspaces", `${hash}-${name}`);
}

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
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function canonical(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // it is not there: the caller says so, this only makes a name
    return resolve(path);
  }
}
