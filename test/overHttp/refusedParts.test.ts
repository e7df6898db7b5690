/**
 * A conversation in which one part after the other is refused, as each provider says it: the part is left out and named, and no
 * fact of the conversation goes.
 */

import assert from "node:assert/strict";
import type { Tool } from "../../src/core/tool/tool";
import { foreignTool } from "../../src/mcp/foreignTool";
import type { McpServer } from "../../src/mcp/server";
import { nameTools, type ToolName } from "../../src/mcp/tools/definition";
import type { Json } from "../../src/shared/messages";
import { pluck } from "../fakes/pluck";
import { type Kind, kinds } from "../models/kinds";
import type { WireAnswer } from "../wire/anthropicServer";
import { endWorlds, proven, records, say, type World, world } from "./world";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The same picture, with other bytes behind its end. */
const picture = (mark: string) => Buffer.concat([Buffer.from(pixel, "base64"), Buffer.from(mark.padStart(300, "."))]);

/** As some gateways give them. */
const LONG_ID = `call_${"x".repeat(80)}`;

interface Refused {
  status: number;
  label: string;
  words: string;
}

/** How each names a tool: by its place, or by its name. */
const toolWords: Record<Kind["name"], (name: string, at: number) => string> = {
  responses: name =>
    `Invalid schema for function '${name}': In context=('properties', 'a'), array schema missing items.`,
  chat: (_, at) => `Invalid 'tools[${at}].function.parameters': schema is not valid.`,
  anthropic: (_, at) =>
    `tools.${at}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
  google: (_, at) =>
    `* GenerateContentRequest.tools[0].function_declarations[${at}].parameters.properties[a].items: missing field.`,
  bedrock: (_, at) =>
    `The value at toolConfig.tools.${at}.toolSpec.inputSchema.json.type must be one of the following: object.`,
};
const pictureWords: Record<Kind["name"], string> = {
  responses: "Invalid image data: the input exceeds the limit",
  chat: "You uploaded an unsupported image. The message is over the limit of 20 MB.",
  anthropic: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6189756 bytes > 5242880 bytes",
  google: "Unable to process input image. The maximum size of an input image is exceeded.",
  bedrock:
    "The model returned the following errors: messages.4.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
};

/** Tools of a server, some of which a provider refuses. */
function oddTools(): Tool[] {
  const named = nameTools("odd", [
    { name: "good", description: "Good.", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
    { name: "bad", description: "Bad.", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
    { name: "worse", description: "Worse.", inputSchema: { type: "object", properties: { b: { type: "string" } } } },
    {
      name: "query",
      description: "Asks.",
      inputSchema: {
        type: "object",
        properties: { filter: { type: "string" }, $top: { type: "integer" } },
        required: ["filter"],
        anyOf: [{ required: ["filter"] }],
      },
    },
  ]);
  const got: Json[] = [];
  return named.map(each =>
    foreignTool(
      {
        name: "odd",
        hash: "h",
        agreement: () => undefined,
        agree: async () => undefined,
        calledAs: () => undefined,
        newest: (read: ToolName) => read,
        ready: async () => each,
        call: async (_: ToolName, input: Record<string, Json>) => {
          got.push(input);
          return { result: { status: "success", data: {}, text: `Got ${JSON.stringify(input)}.`, digest: "Got." } };
        },
      } as Partial<McpServer> as McpServer,
      each,
    ),
  );
}

/** Names of the tools of a body, in their order, whatever the interface. */
const toolNames = (body: string): string[] =>
  [
    ...body
      .slice(body.search(/"(?:tools|toolConfig)":/))
      .matchAll(/"name":"([A-Za-z0-9_-]+)","(?:description|parameters|input)/g),
  ].map(([, name]) => name ?? "");

async function converse(kind: Kind) {
  const bodies: string[] = [];
  const sent = (mark: string, body: string) => body.includes(picture(mark).toString("base64").slice(-60));
  let asked12 = 0;
  const invalid = { status: 400, label: "invalid_request_error" };
  const refusal = (body: string): Refused | undefined => {
    if (body.includes(LONG_ID)) return { ...invalid, words: "call_id: string too long" };
    // Once: a part of the request that nothing can be done about.
    if (body.includes("plover-12.") && !body.includes("plover-13.") && !asked12++)
      return { ...invalid, words: "Invalid 'metadata.user_id': string too long. The message exceeds the limit." };
    for (const bad of ["mcp__odd__bad", "mcp__odd__worse"]) {
      const at = toolNames(body).indexOf(bad);
      if (at >= 0) return { status: 400, label: "invalid_request_error", words: toolWords[kind.name](bad, at) };
    }
    if (sent("too large", body)) return { status: 400, label: "invalid_request_error", words: pictureWords[kind.name] };
    if (sent("a body too large", body))
      return { status: 413, label: "request_too_large", words: "Image payload too large" };
    return undefined;
  };
  const call = (id: string, name: string, input: Record<string, Json>): WireAnswer => ({
    calls: [{ id, name, input }],
  });
  const script: WireAnswer[] = [
    { text: "Noted 1." },
    call("c1", "Read", { file_path: "ok.png" }),
    { text: "Seen 2." },
    call("c2", "Read", { file_path: "large.png" }),
    { text: "Seen 3." },
    call("c3", "Read", { file_path: "larger.png" }),
    { text: "Seen 4." },
    call("c4", "mcp__odd__query", { filter: "x eq 1" }),
    { text: "Asked 5." },
  ];
  const server = await kind.start((number, body) => {
    const text = JSON.stringify(body);
    bodies.push(text);
    const refused = refusal(text);
    if (refused)
      return { refuse: { status: refused.status, body: kind.error(refused.status, refused.label, refused.words) } };
    return script[number] ?? { text: `Noted ${number}.` };
  });
  const at = await world({
    key: kind.key,
    files: {
      "ok.png": picture("all is well"),
      "large.png": picture("too large"),
      "larger.png": picture("a body too large"),
    },
    provider: server,
    settings: kind.settings,
    ports: { foreignTools: { refresh: async () => undefined, list: () => oddTools() } },
  });
  for (let turn = 1; turn <= 14; turn++) {
    await say(at, `Fact ${turn} is plover-${turn}.`);
  }
  await proven(at);
  return { at, bodies };
}

const warnings = (at: World) => records(at, "note").flatMap(({ level, text }) => (level === "warning" ? [text] : []));

describe("parts that are refused cost no fact", () => {
  afterEach(endWorlds);

  for (const kind of kinds) {
    it(`${kind.name}: 14 turns, two tools, two pictures, ids and a parameter refused`, async () => {
      const { at, bodies } = await converse(kind);
      assert.deepEqual(
        pluck(records(at, "turnEnd"), "reason"),
        Array.from({ length: 14 }, (_, turn) => (turn === 11 ? "error" : "done")),
      );
      assert.deepEqual(records(at, "compaction"), []);
      const last = bodies.at(-1) ?? "";
      for (let turn = 1; turn <= 14; turn++) assert.ok(last.includes(`plover-${turn}.`), `fact ${turn}`);
      const names = toolNames(last);
      assert.ok(
        names.includes("mcp__odd__good") && !names.includes("mcp__odd__bad") && !names.includes("mcp__odd__worse"),
      );
      const said = warnings(at).join("\n");
      for (const part of ["odd:bad", "odd:worse", "large.png", "larger.png"])
        assert.equal(
          warnings(at).filter(text => new RegExp(`(?<![\\w-])${part}`).test(text)).length,
          1,
          `${part} in ${said}`,
        );
      // Four refusals, two requests more for each call.
      assert.equal(bodies.length, 4 + 14 + 4);
      assert.equal(records(at, "turnEnd")[11]?.error?.code, "bad-request");
      const result = records(at, "result").find(({ toolName }) => toolName === "odd:query");
      assert.match(JSON.stringify(result?.forms), /x eq 1/);
      const good = picture("all is well").toString("base64").slice(-60);
      assert.ok(
        bodies.some(body => body.includes(good)),
        "the good picture is seen",
      );
    });
  }
});
