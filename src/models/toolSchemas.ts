/**
 * A tool's schema as providers take it. Servers of others describe their tools in drafts and forms that one provider or the other
 * refuses, and with the tool the whole request: combinations at the top, arrays without items, types of other languages,
 * what a draft of long ago had. What is made of it means the same, or allows more: the tool's own server checks what comes.
 */
import { defined, some } from "../shared/defined";
import type { Json } from "../shared/messages";

export type SchemaObject = { [key: string]: Json };

/** Of one schema; what leads on from there is left open. */
const MAX_NODES = 4_000;
const MAX_DEPTH = 24;

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** as other languages call them */
const ALIASES: Record<string, string> = {
  ...{ str: "string", text: "string", date: "string", datetime: "string", uuid: "string", char: "string" },
  ...{ int: "integer", int32: "integer", int64: "integer", long: "integer", short: "integer" },
  ...{ float: "number", double: "number", decimal: "number", bool: "boolean" },
  ...{ dict: "object", map: "object", record: "object", list: "array", tuple: "array", set: "array" },
  ...{ none: "null", nil: "null", undefined: "null" },
};
/** Keys that say how schemas hang together: all that they lead to is put in its place. */
const STRUCTURE = new Set(
  "$schema $id id $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor $defs definitions $vocabulary $comment".split(
    " ",
  ),
);
const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const COUNTS = new Set(
  "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains".split(" "),
);
const NUMBERS = new Set("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "));
const TEXTS = new Set("title description format $comment contentEncoding contentMediaType".split(" "));
/** What no provider takes at the top, beside the three that are merged. */
const NOT_AT_TOP = "not enum const if then else dependentSchemas dependentRequired dependencies".split(" ");

const isSchema = (value: Json | undefined): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Always an object's schema with properties; the given one where it is as all take it. Pure. */
export function fitSchema(given: Json): SchemaObject {
  const root = isSchema(given) ? given : {};
  const walk = new SchemaWalk(root);
  const top = walk.flat(walk.node(root, []));
  for (const key of NOT_AT_TOP) delete top[key];
  const object: SchemaObject = { ...top, type: "object", properties: isSchema(top.properties) ? top.properties : {} };
  fitRequired(object);
  return JSON.stringify(object) === JSON.stringify(root) ? root : object;
}

class SchemaWalk {
  private nodes = 0;

  constructor(private readonly root: SchemaObject) {}

  /** @param within the references that led here */
  node(given: Json, within: readonly string[]): SchemaObject {
    this.nodes += 1;
    if (!isSchema(given) || this.nodes > MAX_NODES || within.length > MAX_DEPTH) return {};
    const schema = this.resolved(given, within);
    if ("open" in schema) return schema.open;
    const { value, within: from } = schema;
    const fit: SchemaObject = {};
    for (const [key, inner] of Object.entries(value)) {
      if (STRUCTURE.has(key) || inner === null) {
        if (key === "const" || key === "default") fit[key] = inner;
        continue;
      }
      const made = this.keyword(key, inner, value, from);
      if (made !== undefined) fit[key] = made;
    }
    if (fit.items === undefined && Array.isArray(value.prefixItems)) fit.items = this.items(value, from);
    fitType(fit, value);
    fitBounds(fit, value);
    fitEnum(fit);
    if (isSchema(fit.properties)) fitRequired(fit, value.properties);
    return fit;
  }

  private keyword(key: string, inner: Json, schema: SchemaObject, within: readonly string[]): Json | undefined {
    if (key === "properties" || key === "patternProperties" || key === "dependentSchemas") {
      if (!isSchema(inner)) return undefined;
      return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, this.node(each, within)]));
    }
    if (key === "items") return this.items(schema, within);
    if (key === "prefixItems") return undefined;
    if (key === "additionalProperties") return typeof inner === "boolean" ? inner : this.node(inner, within);
    if (["not", "if", "then", "else", "contains", "propertyNames"].includes(key)) return this.node(inner, within);
    if ((LISTS as readonly string[]).includes(key)) {
      if (!Array.isArray(inner) || inner.length === 0) return undefined;
      return inner.map(each => this.node(each, within));
    }
    if (key === "additionalItems" || key.startsWith("unevaluated") || key === "nullable") return undefined;
    if (key === "pattern") return typeof inner === "string" && isExpression(inner) ? inner : undefined;
    if (key === "required") return Array.isArray(inner) ? inner.filter(each => typeof each === "string") : undefined;
    if (key === "enum") return Array.isArray(inner) && inner.length > 0 ? inner : undefined;
    if (key === "examples") return Array.isArray(inner) ? inner : undefined;
    if (COUNTS.has(key)) return Number.isInteger(inner) && Number(inner) >= 0 ? inner : undefined;
    if (TEXTS.has(key)) return typeof inner === "string" ? inner : undefined;
    return inner;
  }

  /** One schema for all places of a list: by place no provider takes it. */
  private items({ items, prefixItems }: SchemaObject, within: readonly string[]): SchemaObject {
    const places = [...(Array.isArray(prefixItems) ? prefixItems : []), ...(Array.isArray(items) ? items : [])];
    if (places.length === 0) return isSchema(items) ? this.node(items, within) : {};
    const rest = isSchema(items) ? [items] : [];
    return anyOf([...places, ...rest].map(place => this.node(place, within)));
  }

  /** Where it leads to, with what is said beside it. What leads into itself is left open from there on. */
  private resolved(
    schema: SchemaObject,
    within: readonly string[],
  ): { value: SchemaObject; within: readonly string[] } | { open: SchemaObject } {
    const { $ref, ...beside } = schema;
    if ($ref === undefined) return { value: schema, within };
    const target = typeof $ref === "string" ? this.at($ref) : undefined;
    if (!target) return { value: beside, within };
    if (within.includes(String($ref))) {
      const open: SchemaObject = typeof beside.description === "string" ? { description: beside.description } : {};
      if (typeof target.type === "string" && TYPES.has(target.type)) open.type = target.type;
      if (open.type === "array") open.items = {};
      return { open };
    }
    return this.resolved({ ...target, ...beside }, [...within, String($ref)]);
  }

  private at(ref: string): SchemaObject | undefined {
    if (!ref.startsWith("#")) return undefined;
    let value: Json | undefined = this.root;
    for (const step of ref.slice(1).split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      value = isSchema(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return isSchema(value) ? value : undefined;
  }

  /** An object's schema without combinations: all properties that one of them has, required what all of them require. */
  flat({ anyOf: any, oneOf, allOf, ...own }: SchemaObject): SchemaObject {
    let all: SchemaObject = own;
    for (const part of schemasIn(allOf)) all = merged(all, this.flat(part), "all");
    for (const list of [any, oneOf]) {
      const ways = schemasIn(list).map(way => this.flat(way));
      if (ways.length === 0) continue;
      let one = ways[0] ?? {};
      for (const way of ways.slice(1)) one = merged(one, way, "any");
      all = withWays(merged(all, one, "all"), ways);
    }
    // What follows from a condition may be there.
    for (const key of ["then", "else"]) {
      const more = all[key];
      if (isSchema(more)) all = merged(all, { properties: this.flat(more).properties ?? {} }, "all");
    }
    return all;
  }
}

const schemasIn = (list: Json | undefined): SchemaObject[] => (Array.isArray(list) ? list.filter(isSchema) : []);
const requiredOf = ({ required }: SchemaObject): string[] => (Array.isArray(required) ? required.map(String) : []);

/** Says what the combination said: which properties go together. */
function withWays(schema: SchemaObject, ways: readonly SchemaObject[]): SchemaObject {
  const sets = [...new Set(ways.map(way => requiredOf(way).join(", ")))].filter(set => set !== "");
  if (sets.length < 2) return schema;
  const note = `Give one of: ${sets.map(set => `{${set}}`).join(" or ")}.`;
  const before = typeof schema.description === "string" ? `${schema.description} ` : "";
  return { ...schema, description: before + note };
}

function merged(one: SchemaObject, other: SchemaObject, how: "all" | "any"): SchemaObject {
  const [a, b] = [isSchema(one.properties) ? one.properties : {}, isSchema(other.properties) ? other.properties : {}];
  const properties: SchemaObject = { ...a };
  for (const [name, schema] of Object.entries(b)) {
    const before = Object.hasOwn(a, name) ? a[name] : undefined;
    if (before === undefined) properties[name] = schema;
    else if (how === "all" && isSchema(before) && isSchema(schema)) properties[name] = { ...before, ...schema };
    else properties[name] = anyOf([before, schema]);
  }
  const [needs, more] = [requiredOf(one), requiredOf(other)];
  const required = how === "all" ? [...new Set([...needs, ...more])] : needs.filter(name => more.includes(name));
  const { additionalProperties: _, ...rest } = { ...other, ...one };
  const { required: __, ...others } = rest;
  return { ...others, properties, ...defined({ required: some(required) }) };
}

/** Of several schemas for one value. Words to choose from are joined. */
function anyOf(schemas: readonly Json[]): SchemaObject {
  const different = [...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()];
  const [only] = different;
  if (different.length === 1 && isSchema(only)) return only;
  if (different.some(each => isSchema(each) && Object.keys(each).length === 0)) return {};
  const words = different.map(each =>
    isSchema(each) ? (each.enum ?? (each.const === undefined ? 0 : [each.const])) : 0,
  );
  if (words.every(each => Array.isArray(each)) && words.flat().every(each => typeof each === "string"))
    return { type: "string", enum: [...new Set(words.flat())] };
  return { anyOf: different };
}

function fitType(fit: SchemaObject, given: SchemaObject): void {
  const said = Array.isArray(given.type) ? given.type : [given.type];
  const types = said.flatMap(type => {
    if (typeof type !== "string") return [];
    const lower = type.toLowerCase();
    const known = TYPES.has(lower) ? lower : ALIASES[lower];
    return known === undefined ? [] : [known];
  });
  if (given.nullable === true && types.length > 0) types.push("null");
  const all = [...new Set(types)];
  const combined = LISTS.some(key => key in fit);
  if (all.length > 0) fit.type = all.length === 1 ? (all[0] as string) : all;
  else if (isSchema(fit.properties) && !combined) fit.type = "object";
  else if ("items" in fit && !combined) fit.type = "array";
  else delete fit.type;
  if ([fit.type].flat().includes("array")) fit.items ??= {};
}

/** Draft 4 has `exclusiveMinimum: true`. */
function fitBounds(fit: SchemaObject, given: SchemaObject): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (given[exclusive] === true && typeof given[bound] === "number") {
      fit[exclusive] = given[bound];
      delete fit[bound];
    }
  }
  for (const key of NUMBERS) if (key in fit && typeof fit[key] !== "number") delete fit[key];
  if (Number(fit.multipleOf) <= 0) delete fit.multipleOf;
}

/** What may stand in a list is said of its items, not of the list. */
function fitEnum(fit: SchemaObject): void {
  if (!Array.isArray(fit.enum)) return;
  fit.enum = [...new Map(fit.enum.map(each => [JSON.stringify(each), each])).values()];
  const types = [fit.type].flat();
  if (!types.includes("array") || fit.enum.some(each => Array.isArray(each))) return;
  const { enum: words, ...rest } = fit;
  for (const key of Object.keys(fit)) delete fit[key];
  const items = isSchema(rest.items) ? rest.items : {};
  Object.assign(fit, rest, { items: "enum" in items ? items : { ...items, enum: words } });
}

/** Names of properties that are there; draft 3 says `required: true` with the property. */
function fitRequired(fit: SchemaObject, given?: Json): void {
  const properties = isSchema(fit.properties) ? fit.properties : {};
  const own = isSchema(given) ? given : {};
  const theirs = Object.entries(own).flatMap(([name, each]) =>
    isSchema(each) && each.required === true ? [name] : [],
  );
  const all = [...new Set([...requiredOf(fit), ...theirs])].filter(name => Object.hasOwn(properties, name));
  if (all.length > 0) fit.required = all;
  else if (!Array.isArray(fit.required) || fit.required.length > 0) delete fit.required;
}

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

/** Gemini wants a type for what stands in a list, and takes few formats. */
export function forGemini(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(forGemini);
  if (!isSchema(schema)) return schema;
  const fit: SchemaObject = {};
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "format" && inner !== "date-time" && inner !== "enum") continue;
    // Words alone: it takes no numbers to choose from.
    if (key === "enum" && Array.isArray(inner) && inner.some(each => typeof each !== "string" || each === "")) continue;
    if (key === "properties" && isSchema(inner))
      fit[key] = Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, forGemini(each)]));
    else fit[key] = ["enum", "const", "default", "examples", "required"].includes(key) ? inner : forGemini(inner);
  }
  if (isSchema(fit.items) && !["type", "anyOf", "oneOf", "allOf"].some(key => key in (fit.items as SchemaObject)))
    fit.items = { ...fit.items, type: "string" };
  return fit;
}

/** For servers that refuse a schema and do not say which: names, types and words alone. */
export function plainSchema(schema: Json): SchemaObject {
  const { properties, required } = fitSchema(schema);
  const simple = Object.entries(isSchema(properties) ? properties : {}).map(([name, each]): [string, Json] => {
    const { type, description, enum: words } = isSchema(each) ? each : {};
    const one = [type].flat().find(each => each !== "null" && each !== undefined) ?? "string";
    const texts =
      Array.isArray(words) && words.every(word => typeof word === "string" && word !== "") ? words : undefined;
    return [
      name,
      {
        type: one,
        ...defined({
          description: typeof description === "string" ? description : undefined,
          items: one === "array" ? { type: "string" } : undefined,
          enum: one === "string" && texts ? texts : undefined,
        }),
      },
    ];
  });
  return { type: "object", properties: Object.fromEntries(simple), ...(Array.isArray(required) && { required }) };
}
