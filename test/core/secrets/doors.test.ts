/** Each way out by itself: what goes in has a secret, also one with a character in it that the way takes out; what comes out has none. */
import assert from "node:assert/strict";
import { createSession } from "../../../src/core/agent/session/openSession";
import { ToolSet, toToolDefinition } from "../../../src/core/context/requests/requestBuilder";
import type { Redactor } from "../../../src/core/ground/ports";
import { createRedactor, redactingLogger } from "../../../src/core/secrets/redact";
import { success, type Tool } from "../../../src/core/tool/tool";
import type { Redact, Redacted } from "../../../src/shared/redacted";
import { everything, read, runTurn, world } from "../../fakes/agent";
import { hash } from "../../fakes/hash";
import { world as attaching, TOKEN } from "../mentions/attachments/attaching";

/** A file in UTF-16, read as UTF-8, has such characters between its letters. */
const holed = `${TOKEN.slice(0, 12)}\u0000${TOKEN.slice(12)}`;
const secrets = [TOKEN, holed];
const named = (secret: string) => (secret === TOKEN ? "a token" : "a token with a control character in it");
const { redact } = createRedactor(text => hash.sha256(`key ${text}`));
const whole = (value: unknown): string => JSON.stringify(value) ?? "";
const has = (value: unknown): boolean => whole(value).includes(TOKEN);

const tool = (secret: string): Tool => ({
  name: "dict_look_up",
  description: `Looks a word up. Connected as ${secret}`,
  input: {
    jsonSchema: { type: "object", properties: { word: { type: "string", description: `default: ${TOKEN}` } } },
    parse: value => ({ value }),
  },
  ...{ effect: "network", trust: "mcp" },
  prepare: async () => ({
    targets: [],
    title: `Look up ${secret}`,
    detail: { type: "other", summary: "Looks up", input: {} },
    binding: "look",
    perform: async () => success({ data: { said: secret }, text: secret, digest: `Look up ${secret}` }),
  }),
});

describe("ways out", () => {
  for (const secret of secrets) {
    it(`to a model, into the session and the day's log: ${named(secret)}`, async () => {
      const files = { "a.ts": `key = "${secret}"\n` };
      const { ports, models, disk, logged } = world({ mode: "auto", rules: `Use ${secret}.`, files });
      ports.foreignTools = { refresh: async () => undefined, list: () => [tool(secret)] };
      const editor = { activeFile: `src/${secret}.ts` };
      const session = await createSession({ ...ports, surroundings: { ...ports.surroundings, editor: () => editor } });
      models.play(
        { calls: [read("a.ts"), { name: "dict_look_up", input: {} }], text: `I have ${TOKEN}` },
        { text: "" },
      );
      await runTurn(session, `It is ${secret}`);
      ports.logger.log("info", "the session is over");
      const sent = models.requests.map(({ prompt, tools }) => ({ prompt, tools }));
      assert.equal(has(sent), false, "a request");
      assert.ok(whole(sent).includes("[secret:"));
      assert.equal(has(everything(disk)), false, "the session");
      assert.equal(has(logged), false, "the log");
      await session.close();
    });

    it(`into what a message attaches, and the blob that keeps it whole: ${named(secret)}`, async () => {
      const output = `${`${secret}\n`}${"a line of output\n".repeat(4_000)}`;
      const ran = { command: `curl ${secret}`, head: output, tail: "", dropped: 0, running: false, exitCode: 0 };
      const { one, blobs } = attaching({ terminal: ran as never });
      const attached = await one("terminal");
      assert.equal(has(attached), false);
      assert.ok(blobs.size > 0);
      for (const blob of blobs.values()) assert.equal(has(Buffer.from(blob).toString()), false);
    });
  }

  it("the day's log has none of what others' errors say, and searches a line once, whoever logs it", () => {
    const lines: unknown[] = [];
    let searched = 0;
    const counted: Redact = text => {
      searched += 1;
      return redact(text);
    };
    const outer = redactingLogger({ log: (...line) => lines.push(line) }, counted);
    const inner = redactingLogger(outer, counted, { sessionId: "ses_1" });
    const error = `HTTPError 401 for https://x/?a=1 {'Authorization': 'token ${TOKEN}'}`;
    outer.log("info", "an MCP server did not start", { name: "every", error });
    inner.log("info", error, { more: { error } });
    assert.equal(has(lines), false);
    assert.match(whole(lines[1]), /"sessionId":"ses_1"/);
    assert.equal(searched, 5);
  });

  it("what a server says of its tools has none, in no field", () => {
    const definition = whole(toToolDefinition(tool(TOKEN), redact));
    assert.doesNotMatch(definition, new RegExp(TOKEN));
    assert.equal(definition.match(/\[secret:/g)?.length, 2);
  });
});

describe("what a server says of its tools", () => {
  it("has no secret in the next turn that was learned since, and is the same list where nothing changed", async () => {
    const redactor = createRedactor(text => hash.sha256(`key ${text}`));
    const password = "plain-words-as-a-password-9";
    const said: Tool = { ...tool(TOKEN), description: `Looks a word up, as admin with ${password}` };
    const tools = new ToolSet([], { refresh: async () => undefined, list: () => [said] }, redactor.redact);
    await tools.read(new Set());
    const before = tools.foreignDefinitions;
    assert.ok(whole(before).includes(password), "nobody knows it yet");
    await tools.read(new Set());
    assert.equal(tools.foreignDefinitions, before);
    redactor.learn(`DICT_PASSWORD=${password}`);
    await tools.read(new Set());
    assert.ok(!whole(tools.foreignDefinitions).includes(password));
  });
});

describe("what is searched", () => {
  /** How often in a turn with one call, and characters in all. */
  async function searches(call: { name: string; input: Record<string, string> }) {
    const lines = Array.from({ length: 200 }, (_, at) => `const value${at} = "text of line ${at}";\n`).join("");
    const shell = { "*": { output: [["stdout", lines] as ["stdout", string]] } };
    const { ports, models } = world({ mode: "auto", files: { "a.ts": lines }, shell, rules: "Be kind.\n".repeat(60) });
    const texts: string[] = [];
    const counted = (from: Redactor): Redactor => ({
      ...from,
      redact(text) {
        texts.push(text);
        return from.redact(text);
      },
      within: place => counted(from.within(place)),
    });
    const session = await createSession({ ...ports, redactor: counted(ports.redactor) });
    models.play({ calls: [call] }, { text: "done" });
    await runTurn(session, "go on");
    await session.close();
    const long = texts.filter(text => text.length >= 256);
    return { calls: texts.length, distinct: new Set(long).size };
  }

  const calls: Parameters<typeof searches>[0][] = [
    { name: "Read", input: { file_path: "a.ts" } },
    { name: "Bash", input: { command: "npm test" } },
    { name: "Grep", input: { pattern: "value" } },
  ];
  for (const call of calls)
    it(`grows with what a call gives, not with its lines: ${call.name}`, async () => {
      const { calls, distinct } = await searches(call);
      assert.ok(calls <= 90, `${calls} times`);
      assert.ok(distinct <= 6, `${distinct} long texts`);
    });
});

describe("types", () => {
  it("keep a text that may have a secret out of each door", () => {
    const text: string = "any";
    const clean: Redacted = redact(text);
    // @ts-expect-error: it did not go through the redactor
    const notClean: Redacted = text;
    // @ts-expect-error: what is put together goes through it again
    const together: Redacted = `${clean} and ${text}`;
    // @ts-expect-error: as does what was changed
    const changed: Redacted = clean.toUpperCase();
    assert.deepEqual([notClean, together, changed].length, 3);
  });
});
