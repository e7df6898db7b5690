// A server of the newest revision, written with the package for servers: over standard streams, or HTTP at the port that its
// first argument names (0: any; the address goes to standard error).
import { createServer } from "node:http";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

function makeServer() {
  const server = new McpServer({ name: "newest", version: "3.1.4" });
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => ({
      content: [{ type: "text", text: JSON.stringify({ sum: a + b }) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool("name", { description: "Asks for a name", inputSchema: z.object({}) }, async (_, ctx) => {
    const given = ctx.mcpReq.inputResponses?.name;
    if (given) return { content: [{ type: "text", text: `given ${JSON.stringify(given)}` }] };
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: "Which name?", requestedSchema }) },
    });
  });
  server.registerPrompt(
    "greet",
    { description: "Greets", argsSchema: z.object({ who: z.string() }) },
    async ({ who }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Greet ${who}` } }],
    }),
  );
  server.registerResource("readme", "note://readme", { mimeType: "text/plain" }, async uri => ({
    contents: [{ uri: uri.href, text: "read me" }],
  }));
  return server;
}

const [port] = process.argv.slice(2);
if (port === undefined) serveStdio(makeServer);
else {
  const handler = createMcpHandler(makeServer);
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers, url } = request;
    const body = method === "GET" || method === "HEAD" ? undefined : Buffer.concat(chunks);
    const answer = await handler.fetch(new Request(`http://${headers.host}${url}`, { method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  http.listen(Number(port), "127.0.0.1", () => process.stderr.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
}
