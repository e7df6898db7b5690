// What the conformance package starts as the client under test: `strata mcp`, as built. It looks into the server, makes the call
// that the scenario waits for, and where somebody has to sign in, goes to the address that is shown, as a browser would. The
// server's address comes last.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const calls = {
  tools_call: ["add_numbers", '{"a":5,"b":3}'],
  "sse-retry": ["test_reconnection", "{}"],
};
const address = process.argv.at(-1) ?? "";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const [tool, input] = calls[scenario] ?? (scenario.startsWith("auth/") ? ["test-tool", "{}"] : []);
const program = process.env.STRATA_PROGRAM ?? fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "strata-conformance-"));

// A client's id that was given out beforehand stands in a configuration, as a person would have it.
const { client_id: clientId, client_secret: clientSecret } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
if (scenario === "auth/pre-registration") {
  mkdirSync(join(folder, "strata"));
  const server = { type: "http", url: address, oauth: { clientId, clientSecret } };
  writeFileSync(join(folder, "strata", "mcp.json"), JSON.stringify({ servers: { given: server } }));
}

const strata = (...args) =>
  new Promise(resolve => {
    const env = { ...process.env, XDG_CONFIG_HOME: folder };
    const child = spawn(process.execPath, [program, "mcp", ...args], { stdio: ["ignore", "inherit", "pipe"], env });
    let printed = "";
    child.stderr.on("data", bytes => {
      process.stderr.write(bytes);
      printed += bytes;
      const shown = /to sign in:\n(http\S+)\n/.exec(printed)?.[1];
      if (shown === undefined) return;
      printed = "";
      void fetch(shown);
    });
    child.once("exit", resolve);
  });

const signIn = () => strata("login", address);
const check = () => strata("check", address, ...(tool === undefined ? [] : ["--call", tool, input]));
let code = scenario.startsWith("auth/") ? await signIn() : 0;
if (code === 0) code = await check();
// A call that wants more than was granted: once more, and no third time.
if (code !== 0 && /step-up|retry-limit/.test(scenario) && (await signIn()) === 0) code = await check();
rmSync(folder, { recursive: true, force: true });
process.exit(code ?? 1);
