/** What a server's schema becomes: shown as it is meant, or not at all. */
import assert from "node:assert/strict";
import { elicitForm, elicitResult } from "../../src/mcp/connection/elicitForm";

const form = (properties: unknown, required?: unknown) =>
  elicitForm("s", { message: "m", requestedSchema: { type: "object", properties, required } });

describe("a server's form", () => {
  for (const [what, properties] of [
    ["an object in it", { a: { type: "object", properties: {} } }],
    ["a list of anything", { a: { type: "array", items: { type: "object" } } }],
    ["a type that is none", { a: { type: "null" } }],
    ["no type", { a: {} }],
    ["a field that is no schema", { a: true }],
    ["an empty choice", { a: { type: "string", enum: [] } }],
    ["numbers as options", { a: { type: "string", enum: [1, 2] } }],
    ["the same option twice", { a: { type: "string", enum: ["x", "x"] } }],
    ["500 options", { a: { type: "string", enum: Array.from({ length: 500 }, (_, at) => `${at}`) } }],
    ["500 fields", Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, { type: "string" }]))],
  ] as const) {
    it(`with ${what} is not shown`, () => assert.equal(form(properties), undefined));
  }

  it("without a schema, or with one that is none, is not shown", () => {
    assert.equal(elicitForm("s", { message: "m" }), undefined);
    assert.equal(elicitForm("s", { message: "m", requestedSchema: "x" }), undefined);
    assert.equal(elicitForm("s", { message: "m", requestedSchema: { properties: [1] } })?.fields.length ?? 0, 0);
  });

  it("an address is one of the web, and is read as it is opened", () => {
    for (const url of ["file:///etc/passwd", "vscode://x/y", "https://bank.example@evil.example/", "no address", ""])
      assert.equal(elicitForm("s", { message: "m", mode: "url", url }), undefined);
  });

  it("has bounded words, whatever it says", () => {
    const long = "x".repeat(1_000_000);
    const made = elicitForm("s", {
      message: long,
      requestedSchema: {
        properties: { a: { type: "string", title: long, description: long, default: long, pattern: long } },
        required: "a",
      },
    });
    assert.ok(JSON.stringify(made).length < 12_000);
    assert.equal(made?.fields[0]?.required, false);
  });

  it("a default that is not among the options, or of another type, is none", () => {
    const made = form({
      a: { type: "string", enum: ["x"], default: "y" },
      b: { type: "number", default: "1" },
      c: { type: "boolean", default: "true" },
      d: { type: "array", items: { enum: ["x"] }, default: ["x", "y"] },
      e: { type: "string", minLength: "3", format: "phone" },
    });
    assert.deepEqual(
      made?.fields.map(({ default: usual }) => usual),
      [undefined, undefined, undefined, ["x"], undefined],
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
