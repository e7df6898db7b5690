/** What servers of others say of their tools, as providers take it. Each check of a provider's is one that refused requests. */
import assert from "node:assert/strict";
import { fitSchema, forGemini, plainSchema } from "../../src/models/toolSchemas";
import type { Json } from "../../src/shared/messages";

type Schema = { [key: string]: Json };

const text = { type: "string" };
const odd: Record<string, Json> = {
  "anyOf at the top": {
    type: "object",
    properties: { id: text, name: text },
    anyOf: [{ required: ["id"] }, { required: ["name"] }],
  },
  "oneOf at the top, each an object": {
    oneOf: [
      { type: "object", properties: { kind: { const: "file" }, path: text }, required: ["kind", "path"] },
      { type: "object", properties: { kind: { const: "url" }, url: text }, required: ["kind", "url"] },
    ],
  },
  "allOf at the top, by references": {
    allOf: [{ $ref: "#/definitions/Base" }, { properties: { more: { type: "integer" } }, required: ["more"] }],
    definitions: { Base: { type: "object", properties: { base: text }, required: ["base"] } },
  },
  "a reference to nothing": { type: "object", properties: { a: { $ref: "#/$defs/Gone", description: "A." } } },
  "a reference into itself": {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Node" } },
    $defs: { Node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Node" } } } } },
  },
  "names with blanks, of another script, too long": {
    type: "object",
    properties: {
      "first name": text,
      名称: text,
      名: text,
      ["x".repeat(80)]: text,
      "a b": { type: "object", properties: { "c d": text } },
    },
  },
  "draft 4": {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "http://example.com/tool",
    type: "object",
    properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
  },
  "arrays without items": {
    type: "object",
    properties: { list: { type: "array" }, deep: { type: "array", items: { type: "array" } } },
  },
  "a list by place": {
    type: "object",
    properties: {
      pair: { type: "array", items: [text, { type: "number" }] },
      two: { type: "array", prefixItems: [text, text] },
    },
  },
  "a list that may be null": { type: "object", properties: { tables: { type: ["array", "null"] } } },
  "words to choose from on a list": {
    type: "object",
    properties: { levels: { type: ["array", "null"], items: { type: "integer" }, enum: [1, 2, 3] } },
  },
  "schemas that are true or false": {
    type: "object",
    properties: { any: true, none: false, list: { type: "array", items: true } },
  },
  "null where something may be": {
    type: "object",
    properties: { a: text },
    required: null,
    description: null,
    additionalProperties: null,
  },
  "required of what is not there": { type: "object", properties: { a: text }, required: ["a", "b", "a", 3] },
  "no type anywhere": { properties: { a: { description: "A." }, b: { properties: { c: text } } } },
  nothing: {},
  true: true,
  "an expression that is none": { type: "object", properties: { a: { type: "string", pattern: "(?P<x>a)" } } },
  "empty lists": { type: "object", properties: { a: { type: "string", enum: [] }, b: { anyOf: [] } } },
  "counts that are none": {
    type: "object",
    properties: { a: { type: "string", minLength: -1, maxLength: "9" }, b: { type: "number", multipleOf: 0 } },
  },
  "numbers to choose from": {
    type: "object",
    properties: { n: { type: "integer", enum: [1, 2] }, e: { type: "string", enum: ["", "a"] } },
  },
  "formats of all sorts": {
    type: "object",
    properties: { a: { type: "string", format: "uri" }, b: { type: "string", format: "date-time" } },
  },
};

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Every schema in it, with the place. */
function each(schema: Schema, visit: (schema: Schema, at: string) => void, at = "top"): void {
  visit(schema, at);
  for (const [name, inner] of Object.entries(isSchema(schema.properties) ? schema.properties : {}))
    each(inner as Schema, visit, `${at}.${name}`);
  if ("items" in schema) each(schema.items as Schema, visit, `${at}[]`);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const list = schema[key];
    if (Array.isArray(list)) for (const inner of list) each(inner as Schema, visit, `${at}.${key}`);
  }
}

/** What Anthropic, OpenAI, Bedrock, Mistral and Kimi refuse. */
function complaints(schema: Schema): string[] {
  const found: string[] = [];
  if (schema.type !== "object") found.push("schema must be of type object");
  if (!isSchema(schema.properties)) found.push("object schema missing properties");
  for (const key of ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"])
    if (key in schema) found.push(`${key} at the top level`);
  each(schema, (inner, at) => {
    if (!isSchema(inner)) {
      found.push(`${at}: no object`);
      return;
    }
    const types = [inner.type ?? []].flat();
    if (types.some(type => !TYPES.includes(String(type)))) found.push(`${at}: type ${JSON.stringify(inner.type)}`);
    if (types.includes("array") && !isSchema(inner.items)) found.push(`${at}: array schema missing items`);
    if ("$ref" in inner || "$defs" in inner || "definitions" in inner || "$schema" in inner)
      found.push(`${at}: reference`);
    if ("required" in inner) {
      const properties = isSchema(inner.properties) ? inner.properties : {};
      if (!Array.isArray(inner.required)) found.push(`${at}: required is no array`);
      else if (inner.required.some(name => !Object.hasOwn(properties, String(name))))
        found.push(`${at}: required of nothing`);
    }
    if (typeof inner.exclusiveMinimum === "boolean") found.push(`${at}: draft 4`);
    if ("enum" in inner && (!Array.isArray(inner.enum) || inner.enum.length === 0)) found.push(`${at}: enum`);
    if ("enum" in inner && types.includes("array")) found.push(`${at}: enum of an array`);
    if (Object.values(inner).includes(null)) found.push(`${at}: null`);
    for (const key of ["anyOf", "oneOf", "allOf"])
      if (key in inner && (inner[key] as Json[]).length === 0) found.push(`${at}: empty ${key}`);
    for (const name of Object.keys(isSchema(inner.properties) ? inner.properties : {}))
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) found.push(`${at}: property keys should match pattern: ${name}`);
  });
  return found;
}

function geminiComplaints(schema: Schema): string[] {
  const found = complaints(schema);
  each(schema, (inner, at) => {
    if ([inner.type].flat().includes("array") && isSchema(inner.items) && Object.keys(inner.items).length === 0)
      found.push(`${at}.items: missing field`);
    if (Array.isArray(inner.enum) && inner.enum.some(word => typeof word !== "string" || word === ""))
      found.push(`${at}: enum`);
    if (typeof inner.format === "string" && !["date-time", "enum"].includes(inner.format)) found.push(`${at}: format`);
  });
  return found;
}

describe("tool schemas", () => {
  for (const [name, schema] of Object.entries(odd)) {
    it(`${name}: every provider takes it, and what could be given still can`, () => {
      const before = JSON.stringify(schema);
      const fit = fitSchema(schema);
      assert.deepEqual(complaints(fit), [], JSON.stringify(fit));
      assert.deepEqual(geminiComplaints(forGemini(fit) as Schema), []);
      assert.deepEqual(geminiComplaints(plainSchema(fit)), []);
      assert.equal(JSON.stringify(schema), before, "the given one is as it was");
      assert.equal(fitSchema(fit), fit, "what fits stays the same object");
    });
  }

  const fitted = (name: string) => fitSchema(odd[name] as Json);

  it("keeps what it means", () => {
    assert.deepEqual(Object.keys(fitted("anyOf at the top").properties as Schema), ["id", "name"]);
    const kind = { anyOf: [{ const: "file" }, { const: "url" }] };
    assert.deepEqual(fitted("oneOf at the top, each an object").properties, { kind, path: text, url: text });
    assert.deepEqual(Object.keys(fitted("allOf at the top, by references").properties as Schema), ["base", "more"]);
    assert.deepEqual(fitted("draft 4").properties, { n: { type: "number", minimum: 0, maximum: 9 } });
  });

  it("leaves a parameter out whose name no provider takes", () => {
    const names = fitSchema({
      type: "object",
      properties: { $filter: text, top: text },
      required: ["$filter", "top"],
    });
    assert.deepEqual([Object.keys(names.properties as Schema), names.required], [["top"], ["top"]]);
  });
});
