/** Asking for an input of an MCP server at the terminal, and what becomes of the answer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { InputSpec } from "../../src/mcp/config/serverConfig";
import { askedInput, SecretTextFile } from "../../src/mcp/servers";
import { askInput } from "../../src/terminal/askInput";
import { temporaryFolder } from "../fakes/temporary";

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  const shown: string[] = [];
  output.on("data", text => shown.push(String(text)));
  return { input, output, shown: () => shown.join("") };
}

const spec = (changes: Partial<InputSpec> = {}): InputSpec => ({
  ...{ id: "token", description: "The team's token\u001b[2J", secret: false },
  ...changes,
});

describe("an input asked at the terminal", () => {
  it("a secret is typed without being shown", async () => {
    const { input, output, shown } = terminal();
    const asked = askInput(spec({ secret: true }), "MCP server tickets", { input, output });
    input.write("s3cret-word\r");
    assert.equal(await asked, "s3cret-word");
    assert.match(
      shown(),
      /^MCP server tickets: The team's token␛\[2J\n\(not shown\) \n$/,
      "and nothing steers the terminal",
    );
  });

  it("one of a list by its number, anything else is asked again; an empty line is what is usual", async () => {
    const { input, output, shown } = terminal();
    const asked = askInput(spec({ options: ["eu", "us"] }), "server", { input, output });
    input.write("7\r");
    setImmediate(() => input.write("2\r"));
    assert.equal(await asked, "us");
    assert.match(shown(), /1 {2}eu\n {2}2 {2}us\n[\s\S]*Type a number from 1 to 2/);
    const usual = askInput(spec({ default: "eu" }), "server", { input, output });
    input.write("\r");
    assert.equal(await usual, "eu");
  });

  it("Ctrl+C and the end of the input are no answer", async () => {
    const { input, output } = terminal();
    const asked = askInput(spec(), "server", { input, output });
    input.write("abc\u0003");
    assert.equal(await asked, undefined);
    const again = askInput(spec(), "server", { input, output });
    input.end();
    assert.equal(await again, undefined);
  });
});

describe("inputs of MCP servers in the terminal", () => {
  const folder = temporaryFolder("inputs");
  const config = { name: "tickets", origin: { file: "/ws/.mcp.json" } } as never;

  it("are asked once and kept; the environment counts more; nobody there is a sentence", async () => {
    const file = join(folder, "secrets.json");
    const learned: string[] = [];
    let asked = 0;
    const from = (environment: Record<string, string>, answers: boolean) =>
      askedInput({
        ...{ environment, secrets: new SecretTextFile(file), learn: value => void learned.push(value) },
        ...(answers && { ask: async () => `typed ${++asked}` }),
      });
    await assert.rejects(
      from({}, false)(spec(), config),
      /set STRATA_MCP_INPUT_TOKEN, or run strata mcp check tickets/,
    );
    assert.equal(await from({}, true)(spec(), config), "typed 1");
    assert.equal(await from({}, true)(spec(), config), "typed 1");
    assert.equal(await from({}, false)(spec(), config), "typed 1", "also where nobody could be asked");
    assert.equal(await from({ STRATA_MCP_INPUT_TOKEN: "set" }, true)(spec(), config), "set");
    assert.equal(await from({}, false)(spec({ id: "other", default: "usual" }), config), "usual");
    assert.deepEqual(new Set(learned), new Set(["typed 1", "set", "usual"]));
  });
});
