/** One command in the sandbox and outside of it, in turn. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxAccess, SandboxPolicy } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { NodeSandbox } from "../../src/node/sandbox/sandbox";
import { NodeShell } from "../../src/node/shell/shell";

/** What a person who writes programs has. */
const HOME = [
  ...[".nvm", ".cargo", ".rustup", ".pyenv", ".local/bin", ".local/lib", ".local/share/uv", "go/pkg", ".cache/torch"],
  ...[".npm", ".ssh", ".config/gh", ".mozilla", ".aws"],
];

/** @param folders of the workspace, with 10 files each. Gives ms; undefined: this machine has no sandbox */
export async function compare(base: string, { folders, rounds }: { folders: number; rounds: number }) {
  const root = join(base, `ws${folders}`);
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, `packages/p${folder % 40}/src/f${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 10; file++) writeFileSync(join(path, `${file}.ts`), "");
  }
  for (const path of [".git/hooks", ".git/objects", ".git/refs", ".vscode"])
    mkdirSync(join(root, path), { recursive: true });
  for (const path of [".git/HEAD", ".git/config", ".env", "AGENTS.md"]) writeFileSync(join(root, path), "");
  const home = join(base, "home");
  for (const path of HOME) mkdirSync(join(home, path), { recursive: true });
  for (const path of [".npmrc", ".gitconfig"]) writeFileSync(join(home, path), "");
  const place = { roots: () => [{ path: root }], ownFolders: [], keep: join(base, "keep"), home };
  const sandbox = new NodeSandbox(place);
  const started = performance.now();
  if ((await sandbox.state()).kind === "missing") return undefined;
  const probe = performance.now() - started;
  const shell = new NodeShell({ sandbox });
  const time = async (policy: SandboxPolicy) => {
    const from = performance.now();
    const what = { command: "echo hi", cwd: root, sandbox: policy, onOutput: () => undefined };
    const { exitCode } = await shell.run({ ...what, signal: new AbortController().signal });
    if (exitCode !== 0) throw new Error(`echo failed: ${exitCode}`);
    return performance.now() - from;
  };
  const confined: Record<SandboxAccess, number[]> = { read: [], write: [] };
  const free: number[] = [];
  for (let round = 0; round < rounds; round++) {
    free.push(await time(NO_SANDBOX));
    for (const access of ["read", "write"] as const)
      confined[access].push(await time({ kind: "sandbox", network: [], access }));
  }
  await sandbox.close();
  return { confined, free, probe };
}
