/**
 * Two providers in one conversation: pictures, thoughts with their signatures and calls of one stand in the history of the other, which
 * refuses what real ones refuse. One takes over in the middle of a turn, the first comes back with the next.
 */
import assert from "node:assert/strict";
import type { Settings } from "../../src/shared/settings";
import { KEY, startAnthropicServer, type WireAnswer } from "../wire/anthropicServer";
import { startBedrockServer } from "../wire/bedrockServer";
import { GOOGLE_KEY, startGoogleServer } from "../wire/googleServer";
import { startOpenaiServer } from "../wire/openaiServer";
import { startResponsesServer } from "../wire/responsesServer";
import * as strictness from "../wire/strictness";
import { endWorlds, proven, records, type World, world } from "./world";

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Server {
  url: string;
  refused: unknown[];
  close(): Promise<void>;
}

interface Side {
  name: string;
  /** as `strata.model.fallback` names it */
  model: string;
  host: string;
  /** of a call, as its servers give them */
  id(name: string): string;
  strict: strictness.Strictness;
  start(answer: (body: never) => WireAnswer): Promise<Server>;
}

const sides: readonly Side[] = [
  {
    name: "responses",
    model: "openai:gpt-5",
    host: "api.openai.com",
    id: name => `call_${name}_${"r".repeat(40)}`,
    strict: strictness.responses,
    start: answer =>
      startResponsesServer(body => {
        const { thinking, ...rest } = answer(body as never);
        return { ...rest, ...(thinking ? { thought: thinking } : {}) };
      }),
  },
  {
    name: "chat",
    model: "ollama:glm-4.6",
    host: "localhost:11434",
    id: name => `functions.Read:${name}`,
    strict: strictness.chatOf(/^[a-zA-Z0-9_-]{1,64}$/),
    start: answer => startOpenaiServer(body => answer(body as never)),
  },
  {
    name: "chat of Mistral",
    model: "lmstudio:devstral-small",
    host: "localhost:1234",
    id: name => `m${name}000000000`.slice(0, 9),
    strict: strictness.chatOf(/^[a-zA-Z0-9]{9}$/),
    start: answer => startOpenaiServer(body => answer(body as never)),
  },
  {
    name: "anthropic",
    model: "anthropic:claude-opus-5-5",
    host: "api.anthropic.com",
    id: name => `toolu_${name}`,
    strict: strictness.anthropic,
    start: answer => startAnthropicServer({ answer: body => answer(body as never) }),
  },
  {
    name: "google",
    model: "google:gemini-3-pro",
    host: "generativelanguage.googleapis.com",
    id: name => `g ${name}`,
    strict: strictness.google,
    start: answer => startGoogleServer(body => answer(body as never)),
  },
  {
    name: "bedrock",
    model: "bedrock:us.anthropic.claude-sonnet-4-5-v1:0",
    host: "bedrock-runtime.us-east-1.amazonaws.com",
    id: name => `tooluse_${name}.${"b".repeat(70)}`,
    strict: strictness.bedrock,
    start: answer => startBedrockServer(body => answer(body as never)),
  },
];

/** How the first fails in the middle of a turn. */
const failures: readonly [name: string, answer: WireAnswer][] = [
  ["overloaded", { refuse: { status: 529, body: '{"error":{"message":"Overloaded"}}' } }],
  ["cut", { thinking: "Half a thought.", text: "Half an ans", calls: [], breakOff: "cut" }],
  ["refused", { refuse: { status: 400, body: '{"error":{"message":"Something of this is not right."}}' } }],
];

/** What one side is asked and says. */
class Playing {
  readonly bodies: string[] = [];
  readonly complaints: string[] = [];
  readonly thoughts = new Set<string>();
  readonly signatures = new Set<string>();
  /** instead of the next answer of a step that follows a call */
  failing: WireAnswer | undefined;
  private said = 0;
  private isAfterCall = false;

  constructor(readonly side: Side) {}

  answer = (body: never): WireAnswer => {
    const text = JSON.stringify(body);
    this.bodies.push(text);
    const complaint = this.side.strict(body, this);
    if (complaint !== undefined) {
      this.complaints.push(complaint);
      return { refuse: { status: 400, body: JSON.stringify({ error: { message: complaint }, message: complaint }) } };
    }
    if (this.failing && this.isAfterCall) return this.failing;
    const thinking = `${this.side.name} thought ${++this.said}.`;
    this.thoughts.add(thinking);
    const name = `${this.said}`;
    this.isAfterCall = !this.isAfterCall;
    if (!this.isAfterCall) return { thinking, text: `${this.side.name} said ${name}.` };
    const file_path = this.said === 1 ? "picture.png" : `src/${(this.said % 9) + 1}.ts`;
    return { thinking, calls: [{ id: this.side.id(name), name: "Read", input: { file_path } }] };
  };

  /** The step that follows a call of the other one answers it with a call too. */
  startsTurn(): void {
    this.isAfterCall = false;
  }
}

/** Notes the signatures that a server gives, as they pass. */
async function noted(response: Response, { signatures }: Playing): Promise<Response> {
  const text = await response.clone().text();
  for (const [, signature = ""] of text.matchAll(/"(?:signature|thoughtSignature)":"([^"]+)"/g))
    signatures.add(signature);
  return response;
}

async function converse(first: Side, second: Side) {
  const [a, b] = [new Playing(first), new Playing(second)];
  const servers = await Promise.all([first.start(a.answer), second.start(b.answer)]);
  const places = new Map([
    [first.host, { server: servers[0], playing: a }],
    [second.host, { server: servers[1], playing: b }],
  ]);
  const settings: Partial<Settings> = {
    "model.name": first.model,
    "model.baseUrl": "https://api.openai.com/v1",
    "model.fallback": [second.model],
  };
  const at = await world({
    settings,
    key: host => (host.includes("anthropic") ? KEY : host.includes("google") ? GOOGLE_KEY : "sk-test-0123456789abcdef"),
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const place = places.get(url.host);
      if (!place) return new Response("{}", { status: 404 });
      const response = await fetch(`${new URL(place.server.url).origin}${url.pathname}${url.search}`, init);
      return init?.method === "POST" ? noted(response, place.playing) : response;
    },
    files: {
      "picture.png": Buffer.from(PICTURE, "base64"),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`src/${at + 1}.ts`, `const n = ${at + 1};\n`])),
    },
  });
  const say = async (text: string) => {
    a.startsTurn();
    b.startsTurn();
    await at.session.submit(text);
    await at.session.idle();
  };
  let fact = 0;
  await say(`Fact ${++fact} is plover-${fact}.`);
  for (const [, failing] of failures) {
    a.failing = failing;
    await say(`Fact ${++fact} is plover-${fact}.`);
    a.failing = undefined;
    await say(`Fact ${++fact} is plover-${fact}.`);
  }
  return { at, a, b, servers, facts: fact };
}

const ends = (at: World) =>
  records(at, "turnEnd").map(({ reason, error }) => `${reason}${error ? `: ${error.message}` : ""}`);

describe("two providers in one conversation", () => {
  afterEach(endWorlds);

  // "And back": each reads what the other one wrote, whoever began.
  for (const [index, first] of sides.entries()) {
    for (const second of sides.slice(index + 1)) {
      it(`${first.name}, then ${second.name}, and back, three times: no part is refused, no fact leaves`, async () => {
        const { at, a, b, servers, facts } = await converse(first, second);
        assert.deepEqual([...a.complaints, ...b.complaints, ...servers.flatMap(({ refused }) => refused)], []);
        assert.deepEqual(ends(at), Array(facts).fill("done"));
        assert.deepEqual(records(at, "compaction"), []);
        const last = a.bodies.at(-1) ?? "";
        for (let fact = 1; fact <= facts; fact++) assert.ok(last.includes(`plover-${fact}.`), `fact ${fact}`);
        const lastOfSecond = b.bodies.at(-1) ?? "";
        for (let fact = 1; fact < facts; fact++) assert.ok(lastOfSecond.includes(`plover-${fact}.`), `fact ${fact}`);
        assert.ok(
          a.bodies.some(body => body.includes(PICTURE.slice(0, 60))),
          "the picture",
        );
        assert.equal(records(at, "note").filter(({ code }) => code === "model-fallback").length, failures.length);
        await proven(at);
        await Promise.all(servers.map(server => server.close()));
      });
    }
  }
});
