/** A command that goes on until it is ended: on its own, with what it started. */
import { spawn } from "node:child_process";
import { NodeSandbox } from "../../../src/node/sandbox/sandbox";
import { LiveCommands } from "../../../src/node/shell/commandProcesses";
import { NodeShell } from "../../../src/node/shell/shell";

const [, , folder = "", where = "", token = ""] = process.argv;
if (where === "not yet known") {
  const env = { ...process.env, STRATA_COMMAND_ID: token };
  new LiveCommands().expect(`STRATA_COMMAND_ID=${token}`, false);
  for (let i = 0; i < 4; i++) spawn("sleep", [`600.${token}`], { detached: true, env, stdio: "ignore" });
  await new Promise(() => undefined);
}
const sandbox = new NodeSandbox({ roots: () => [{ path: folder }], ownFolders: [], keep: `${folder}-keep` });
const shell = new NodeShell({ sandbox });
const run = (command: string, timeoutMs?: number) =>
  shell.run({
    ...{ command, cwd: folder, signal: new AbortController().signal, ...(timeoutMs && { timeoutMs }) },
    sandbox: where === "sandbox" ? { kind: "sandbox", access: "write", network: [] } : { kind: "none" },
    onOutput: (_, chunk) => void process.stdout.write(chunk),
  });
// One that is over is nobody's any more: its daemon stays.
const daemon = `setsid sh -c '> up; exec sleep 600.${token}9' & until [ -e up ]; do sleep 0.1; done`;
if (where !== "sandbox") await run(daemon, 60_000);
const forms = [
  `sleep 600.${token} & echo up; sleep 600.${token}`,
  `trap '' HUP TERM INT; setsid sleep 600.${token} & (set -m; timeout 700 sleep 600.${token}) & echo up; wait`,
];
await Promise.all(forms.map((command, at) => run(command, at === 0 ? 60_000 : undefined)));
