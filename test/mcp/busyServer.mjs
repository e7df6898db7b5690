// An MCP server over its standard streams whose start and end take their time, or go wrong, as its arguments say. No package.
import { existsSync, unlinkSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [mode, file] = process.argv.slice(2);
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const die = () => {
  process.stderr.write("my database is gone\n");
  process.exit(7);
};

let hangs = mode === "stubborn-start";
if (mode === "hangs-once") {
  hangs = !existsSync(file);
  writeFileSync(file, String(process.pid));
}
if (mode.startsWith("stubborn")) {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1_000);
  writeFileSync(file, String(process.pid));
}
// Another one of it would be in its way.
if (mode === "locks") {
  writeFileSync(file, "", { flag: "wx" });
  // On a busy machine the time to go is over before it went.
  process.on("SIGTERM", () => {
    unlinkSync(file);
    process.exit(0);
  });
}

const input = createInterface({ input: process.stdin });
input.on("line", line => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || hangs) return;
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "busy", version: "1" } },
    });
  } else if (method === "tools/list") {
    if (mode === "dies-listing") die();
    send({ id, result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } });
    if (mode === "dies-listed" && !existsSync(file)) die();
  } else if (method === "tools/call" && mode === "keeps-calls") {
    writeFileSync(file, String(process.pid));
    const answer = setInterval(() => {
      if (!existsSync(`${file}.go`)) return;
      clearInterval(answer);
      send({ id, result: { content: [{ type: "text", text: "done at last" }] } });
    }, 20);
  } else if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: "here" }] } });
  else if (method === "ping") send({ id, result: {} });
  else send({ id, error: { code: -32601, message: `no ${method}` } });
});
input.on("close", () => {
  if (mode === "keeps-calls") process.exit(0);
  if (mode !== "locks") return;
  setTimeout(() => {
    unlinkSync(file);
    process.exit(0);
  }, 150);
});
