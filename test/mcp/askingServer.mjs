// An MCP server of an older revision, over its standard streams, that asks the person. No package: it asks what it likes.
import { createInterface } from "node:readline";

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = words => ({ content: [{ type: "text", text: words }] });
const tool = name => ({ name, description: `does ${name}`, inputSchema: { type: "object", properties: {} } });

let asked = 0;
const waiting = new Map();
function elicit(params) {
  const id = `q${++asked}`;
  send({ id, method: "elicitation/create", params });
  return { id, answer: new Promise(resolve => waiting.set(id, resolve)) };
}

const form = { message: "Which word?", requestedSchema: { type: "object", properties: { word: { type: "string" } } } };
const calls = {
  ask: async ({ form: given }) => text(JSON.stringify(await elicit(given ?? form).answer)),
  hang: () => undefined,
  open: async ({ url }) =>
    text(JSON.stringify(await elicit({ mode: "url", elicitationId: "e", message: "Look here", url }).answer)),
  first: () => ({ needs: [{ mode: "url", elicitationId: "e", message: "Sign", url: "https://example.com/sign" }] }),
  withdraw: async () => {
    const { id } = elicit(form);
    send({ method: "notifications/cancelled", params: { requestId: id, reason: "changed my mind" } });
    return text("taken back");
  },
};

createInterface({ input: process.stdin }).on("line", async line => {
  const { id, method, params = {}, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(result ?? { error });
    return;
  }
  if (id === undefined) return;
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "asking", version: "1" } },
    });
  } else if (method === "tools/list") send({ id, result: { tools: Object.keys(calls).map(tool) } });
  else if (method === "tools/call") {
    const given = await calls[params.name](params.arguments ?? {});
    if (given?.needs)
      send({ id, error: { code: -32042, message: "first the browser", data: { elicitations: given.needs } } });
    else if (given) send({ id, result: given });
  } else send({ id, error: { code: -32601, message: `no ${method}` } });
});
