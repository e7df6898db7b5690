/**
 * The way from the sandbox to the gate: there is no network in it but its own loopback, and programs speak to a proxy by
 * TCP. A small program listens there, hands all on to the gate's socket, and runs the command.
 */

/** where the gate's socket is in the sandbox */
export const PROXY_SOCKET = "/dev/strata-gate";
const PORT = 3128;

const BRIDGE = `
const net = require("node:net");
const { spawn } = require("node:child_process");
const [socket, port, program, ...args] = process.argv.slice(1);
const server = net.createServer(near => {
  const far = net.connect(socket);
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
  near.pipe(far);
  far.pipe(near);
});
server.listen(Number(port), "127.0.0.1", () => {
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  const stdio = ["inherit", "inherit", "inherit", "inherit"];
  const start = Number(/^\\/dev\\/fd\\/(\\d)$/.exec(env.BASH_ENV ?? "")?.[1] ?? 0);
  for (let at = stdio.length; at <= start; at++) stdio.push(at === start ? "inherit" : "ignore");
  const child = spawn(program, args, { stdio, env });
  process.on("SIGTERM", () => undefined);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (require("node:os").constants.signals[signal] ?? 0)));
  child.on("error", error => { console.error(String(error)); process.exit(127); });
});
server.on("error", error => { console.error("Strata's way to the network: " + error.message); process.exit(126); });
`;

export function bridged(command: readonly string[]): { command: string[]; env: Record<string, string> } {
  return {
    command: [process.execPath, "-e", BRIDGE, PROXY_SOCKET, String(PORT), ...command],
    // the editor's own program is Node then
    env: process.versions.electron ? { ELECTRON_RUN_AS_NODE: "1" } : {},
  };
}

/** For programs that ask the environment for a proxy: curl, git, npm, pip, cargo, go; Node's own `fetch` since 24. */
export function proxyVariables(port = PORT): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const none = "localhost,127.0.0.1,::1";
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: none,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: none,
    NODE_USE_ENV_PROXY: "1",
  };
}
