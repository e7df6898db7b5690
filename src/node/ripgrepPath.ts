/** Where a ripgrep can be found: the one that VS Code ships, else the packaged one. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";

/** The path of the package @vscode/ripgrep; undefined where it, or its part for this platform, is not installed. */
export async function packagedRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    // not installed: the caller has other places to look in and says so when there is none
    return undefined;
  }
}

/** The ripgrep of a VS Code, by version (1.139: ripgrep-universal). `appRoot` is `env.appRoot`. */
export async function vscodeRipgrep(appRoot: string): Promise<string | undefined> {
  const binary = process.platform === "win32" ? "rg.exe" : "rg";
  const places = [
    join("node_modules", "@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`, binary),
    join("node_modules", "@vscode", `ripgrep-${process.platform}-${process.arch}`, "bin", binary),
    join("node_modules", "@vscode", "ripgrep", "bin", binary),
    join("node_modules.asar.unpacked", "@vscode", "ripgrep", "bin", binary),
    join("node_modules", "vscode-ripgrep", "bin", binary),
    join("node_modules.asar.unpacked", "vscode-ripgrep", "bin", binary),
  ];
  for (const place of places) {
    const path = join(appRoot, place);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // whatever the reason, it can't be run: the next place is tried
    return false;
  }
}
