/** What a server's schema becomes: shown as it is meant, or not at all. */
import assert from "node:assert/strict";
import { type ElicitParams, elicitForm, elicitResult } from "../../src/mcp/connection/elicitForm";

const form = (properties: unknown, required?: unknown) =>
  elicitForm("s", { message: "m", requestedSchema: { type: "object", properties, required } } as ElicitParams);

describe("a server's form", () => {
  for (const [what, properties] of [
    ["an empty choice", { a: { type: "string", enum: [] } }],
    ["the same option twice", { a: { type: "string", enum: ["x", "x"] } }],
    ["500 options", { a: { type: "string", enum: Array.from({ length: 500 }, (_, at) => `${at}`) } }],
    ["500 fields", Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, { type: "string" }]))],
  ] as const) {
    it(`with ${what} is not shown`, () => assert.equal(form(properties), undefined));
  }

  it("an address is one of the web, and is read as it is opened", () => {
    for (const url of ["file:///etc/passwd", "vscode://x/y", "https://bank.example@evil.example/", "no address", ""])
      assert.equal(elicitForm("s", { message: "m", mode: "url", url, elicitationId: "1" }), undefined);
  });

  it("has bounded words, whatever it says", () => {
    const long = "x".repeat(1_000_000);
    const made = elicitForm("s", {
      message: long,
      requestedSchema: {
        type: "object",
        properties: { a: { type: "string", title: long, description: long, default: long } },
      },
    });
    assert.ok(JSON.stringify(made).length < 12_000);
  });

  it("a default that is not among the options is none", () => {
    const made = form({
      a: { type: "string", enum: ["x"], default: "y" },
      d: { type: "array", items: { type: "string", enum: ["x"] }, default: ["x", "y"] },
    });
    assert.deepEqual(
      made?.fields.map(({ default: usual }) => usual),
      [undefined, ["x"]],
    );
  });

  it("names like those of objects are names like all others", () => {
    const made = form(JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}'), ["constructor"]);
    assert.deepEqual(
      made?.fields.map(({ name, required }) => `${name} ${required}`),
      ["__proto__ false", "constructor true"],
    );
    const values = JSON.parse('{"constructor":"c"}') as Record<string, string>;
    const { content } = elicitResult(made ?? { fields: [] }, { action: "accept", by: "user", values });
    assert.deepEqual(content, { constructor: "c" });
  });
});
