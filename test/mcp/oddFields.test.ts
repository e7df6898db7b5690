/** Servers that write null for what is absent, or have one part that cannot be read: over streams and over HTTP. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { plainMessage } from "../../src/mcp/connection/plainMessages";
import { listening } from "../fakes/http";
import { mcpWorld, never, oddServer } from "../fakes/mcp";
import { temporaryFolder } from "../fakes/temporary";

type Raw = Record<string, object>;
interface Case {
  says: Raw;
  /** tools that are there; default: the good one */
  tools?: string[];
  /** what is said of the others */
  problem?: RegExp;
  /** what the server's list has beside its tools, or of them */
  offers?: Raw;
  /** what the call of the first one gives */
  text?: RegExp;
}

const good = {
  name: "good",
  description: "Good.",
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
};
const tools = (...all: unknown[]): Raw => ({ "tools/list": { result: { tools: all } } });
const gives = (result: unknown): Raw => ({ ...tools(good), "tools/call": { result } as object });
const welcome = (capabilities: object): Raw => ({
  initialize: {
    result: {
      ...{ protocolVersion: "2025-06-18", instructions: null, _meta: null, capabilities },
      serverInfo: { name: "odd", version: null, title: null },
    },
  },
});
const nulls = { type: "object", properties: { a: { anyOf: [{ const: null }, { type: "string" }], default: null } } };
const words = [{ type: "text", text: "what came" }];

const cases: Record<string, Case> = {
  "nextCursor: an empty text": { says: { "tools/list": { result: { tools: [good], nextCursor: "" } } } },
  "error: null beside a result": { says: { "tools/list": { result: { tools: [good] }, error: null } } },
  "outputSchema: an array's": { says: tools({ ...good, outputSchema: { type: "array", items: {} } }) },
  "inputSchema: null": { says: tools({ ...good, inputSchema: null }) },
  "no inputSchema": { says: tools({ name: "good" }) },
  "a property that is true": { says: tools({ ...good, inputSchema: { type: "object", properties: { a: true } } }) },
  "hints that are null or texts": {
    says: tools({ ...good, annotations: { readOnlyHint: null, destructiveHint: "no", title: 3 } }),
  },
  "one without a name between others": {
    says: tools(good, { description: "Nameless." }, { ...good, name: "other" }),
    tools: ["good", "other"],
    problem: /odd: tool 2 of its list has no name, so it is left out/,
  },
  "a schema that says null": {
    says: tools({ ...good, inputSchema: { ...nulls, additionalProperties: null } }),
    offers: { tools: [{ ...good, inputSchema: nulls }] },
  },
  "annotations and names of prompts and resources": {
    says: {
      ...{ ...tools(good), ...welcome({ tools: {}, prompts: {}, resources: {} }) },
      "prompts/list": {
        result: { prompts: [{ name: "p", arguments: [{ description: "x" }, { name: "a", required: "yes" }] }, {}] },
      },
      "resources/list": { result: { resources: [{ uri: "r:1", name: "r", annotations: { priority: "high" } }, {}] } },
      "resources/templates/list": { result: { resourceTemplates: [{ uriTemplate: "r:{a}", name: "t", _meta: 1 }] } },
    },
    problem: /^(?=.*prompt 1, argument 1 of its list has no name)(?=.*prompt 2 of)(?=.*resource 2 of)/s,
    offers: {
      prompts: [{ name: "p", arguments: [{ name: "a" }] }],
      resources: [{ uri: "r:1", name: "r" }],
      templates: [{ uriTemplate: "r:{a}", name: "t" }],
    },
  },
  "tools: null": { says: { "tools/list": { result: { tools: null } } }, tools: [] },
  "a welcome with nulls": {
    says: {
      ...tools(good),
      ...welcome({
        ...{ tools: { listChanged: null }, prompts: null, logging: null, experimental: null },
        resources: { subscribe: null },
      }),
    },
  },
  "content: null": { says: gives({ content: null }), text: /nothing back/ },
  "a block with nulls": {
    says: gives({ content: [{ ...words[0], annotations: { priority: "high" }, _meta: "x", mimeType: null }] }),
    text: /what came/,
  },
  "a text that is an object": { says: gives({ content: [{ type: "text", text: { a: 1 } }] }), text: /\{"a":1\}/ },
  "a block of another kind": { says: gives({ content: [{ type: "table", rows: [1] }] }), text: /"rows":\[1\]/ },
  "a picture without its type": {
    says: gives({ content: [{ type: "image", data: "x" }, ...words] }),
    text: /what came/,
  },
  "structuredContent alone": { says: gives({ structuredContent: { sum: 3 } }), text: /\{"sum":3\}/ },
  "structuredContent that does not keep to its schema": {
    says: {
      ...tools({
        ...good,
        outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
      }),
      "tools/call": { result: { content: words, structuredContent: { total: "3" } } },
    },
    text: /what came/,
  },
  "another field beside the result": {
    says: { ...tools(good), "tools/call": { result: { content: words }, warnings: [] } },
    text: /what came/,
  },
  "a picture that is no base64": {
    says: gives({ content: [{ type: "image", data: "<svg/>", mimeType: "image/svg+xml" }, ...words] }),
    text: /svg\+xml, left out[\s\S]*what came/,
  },
};

/** The same, over HTTP: as one message, or as a stream. */
async function httpServer(says: Raw, kind: "json" | "stream") {
  const { url, close } = await listening(async (request, response) => {
    const body = await text(request);
    const { id, method, params } = request.method === "POST" ? JSON.parse(body) : {};
    if (id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
    const capabilities = { tools: {} };
    const welcome = {
      result: { protocolVersion: params?.protocolVersion, capabilities, serverInfo: { name: "o", version: "1" } },
    };
    const said = says[method] ?? (method === "initialize" ? welcome : { error: { code: -32601, message: "no" } });
    const message = JSON.stringify({ jsonrpc: "2.0", ...said, id });
    response.writeHead(200, { "content-type": kind === "json" ? "application/json" : "text/event-stream" });
    response.end(kind === "json" ? message : `event: message\r\ndata: ${message}\r\n\r\n`);
  });
  return { url: `${url}/mcp`, close };
}

describe("odd fields of MCP servers", () => {
  it("nested beyond what can be written stays as it is: whoever reads it says so at once", () => {
    const text = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}}]}}`;
    assert.equal(plainMessage(text, new Set()), text);
  });

  it("a result that is no object is an error at once", () => {
    for (const result of ["what came", [{ type: "text", text: "what came" }], null]) {
      const said: unknown = JSON.parse(plainMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, result }), new Set()));
      assert.deepEqual(said, { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "its answer is no object" } });
    }
  });

  let world: ReturnType<typeof mcpWorld> | undefined;
  afterEach(() => world?.end());

  const look = async (entry: object, { tools: wanted = ["good"], problem, offers = {}, text }: Case) => {
    world = mcpWorld({ servers: { odd: entry } });
    const { servers } = world;
    await servers.refresh();
    const view = await servers.check("odd", never());
    assert.equal(view.state, "running", view.error);
    assert.deepEqual(
      view.tools?.map(({ name }) => name),
      wanted.map(name => `odd:${name}`),
    );
    if (problem) assert.match(servers.problems.join("\n"), problem);
    else assert.deepEqual(servers.problems, []);
    assert.partialDeepStrictEqual(servers.server("odd").offered, offers);
    if (text === undefined) return;
    const server = servers.server("odd");
    const named = server.tools?.[0];
    assert.ok(named);
    const run = { signal: never(), output: () => undefined } as unknown as Parameters<typeof server.call>[2];
    const { result } = await server.call(named, { a: "x" }, run);
    assert.match(result.text, text);
  };

  for (const [name, each] of Object.entries(cases)) {
    it(`${name}: nothing else is lost`, async () => {
      const file = join(temporaryFolder("raw"), "says.json");
      writeFileSync(file, JSON.stringify(each.says));
      await look(oddServer("raw", file), each);
    });
  }

  for (const kind of ["json", "stream"] as const) {
    it(`over HTTP (${kind}) too`, async () => {
      for (const name of ["a block with nulls", "one without a name between others", "a block of another kind"]) {
        const each = cases[name] as Case;
        const server = await httpServer(each.says, kind);
        await look({ type: "http", url: server.url }, each);
        await world?.end();
        server.close();
      }
    });
  }
});
