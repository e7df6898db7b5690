/** A tool's schema as providers take it: of others' drafts and forms one or the other refuses the whole request. The fitted one means the same, or allows more: the server checks its input. */
import { defined } from "../shared/defined";
import { isObject } from "../shared/isObject";
import type { Json } from "../shared/messages";

type SchemaObject = { [key: string]: Json };

/** Of one schema; what leads on from there is left open. */
const MAX_NODES = 4_000;
const MAX_DEPTH = 24;

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const isCount = (value: Json) => Number.isInteger(value) && Number(value) >= 0;
const isText = (value: Json) => typeof value === "string";
/** Keywords that every provider takes, where their value is as it must be; all others are left out. */
const KEPT: Readonly<Record<string, (value: Json) => boolean>> = {
  ...{ title: isText, description: isText, format: isText, pattern: isExpression, uniqueItems: () => true },
  ...{ minLength: isCount, maxLength: isCount, minItems: isCount, maxItems: isCount },
  ...{ minimum: Number.isFinite, maximum: Number.isFinite, multipleOf: value => Number(value) > 0 },
  ...{ exclusiveMinimum: Number.isFinite, exclusiveMaximum: Number.isFinite, examples: Array.isArray },
  ...{ const: () => true, default: () => true, enum: value => Array.isArray(value) && value.length > 0 },
};
/** Names of parameters that providers take. One with another name is left out. */
const PARAMETER = /^[a-zA-Z0-9_.-]{1,64}$/;

const isSchema = (value: Json | undefined): value is SchemaObject => isObject(value);

/** Always an object's schema with properties; the given one where it is as all take it. Pure. */
export function fitSchema(given: Json): SchemaObject {
  const root = isSchema(given) ? given : {};
  const { const: _, enum: __, ...top } = flat(new SchemaWalk(root).node(root, []));
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
    if (given.$ref !== undefined) return this.referred(given, within);
    const fit: SchemaObject = {};
    for (const [key, value] of Object.entries(given)) {
      const inner = this.keyword(key, value, within);
      if (inner !== undefined) fit[key] = inner;
    }
    fitType(fit);
    if (isSchema(fit.properties)) fitRequired(fit);
    else delete fit.required;
    return fit;
  }

  private keyword(key: string, value: Json, within: readonly string[]): Json | undefined {
    if (key === "type" || key === "required") return value;
    if (key === "additionalProperties") return typeof value === "boolean" ? value : undefined;
    if (key === "items") return this.node(value, within);
    if (key === "properties" && isSchema(value)) {
      const taken = Object.entries(value).filter(([name]) => PARAMETER.test(name));
      return Object.fromEntries(taken.map(([name, each]) => [name, this.node(each, within)]));
    }
    if ((LISTS as readonly string[]).includes(key))
      return Array.isArray(value) && value.length > 0 ? value.map(each => this.node(each, within)) : undefined;
    return KEPT[key]?.(value) && (value !== null || key === "const" || key === "default") ? value : undefined;
  }

  /** The target, with the keywords beside the reference. A circle is left open. */
  private referred({ $ref, ...beside }: SchemaObject, within: readonly string[]): SchemaObject {
    const target = typeof $ref === "string" ? this.at($ref) : undefined;
    if (!target) return this.node(beside, within);
    if (!within.includes(String($ref))) return this.node({ ...target, ...beside }, [...within, String($ref)]);
    return this.node({ ...defined({ type: target.type, description: beside.description }) }, within);
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
}

/** An object's schema without combinations: all properties that one of them has; required is only what it says itself. */
function flat({ anyOf, oneOf, allOf, ...own }: SchemaObject): SchemaObject {
  const parts = [own, ...[allOf, anyOf, oneOf].flatMap(schemasIn).map(flat)];
  const all = parts.flatMap(({ properties }) => (isSchema(properties) ? Object.entries(properties) : []));
  const names = [...new Set(all.map(([name]) => name))];
  const properties = names.map(name => [name, either(all.filter(([each]) => each === name).map(([, each]) => each))]);
  return { ...own, ...(names.length > 0 && { properties: Object.fromEntries(properties) }) };
}

/** One where all say the same. */
function either(schemas: readonly Json[]): Json {
  const different = new Map(schemas.map(schema => [JSON.stringify(schema), schema]));
  return different.size > 1 ? { anyOf: [...different.values()] } : (schemas[0] ?? {});
}

const schemasIn = (list: Json | undefined): SchemaObject[] => (Array.isArray(list) ? list.filter(isSchema) : []);

function fitType(fit: SchemaObject): void {
  const types = [fit.type ?? []].flat().filter(type => TYPES.has(String(type)));
  const isCombined = LISTS.some(key => key in fit);
  if (types.length > 0) fit.type = types.length === 1 ? (types[0] as string) : types;
  else if (isSchema(fit.properties) && !isCombined) fit.type = "object";
  else if ("items" in fit && !isCombined) fit.type = "array";
  else delete fit.type;
  if (![fit.type].flat().includes("array")) return;
  fit.items ??= {};
  delete fit.enum;
}

/** Names of properties that are there. */
function fitRequired(fit: SchemaObject): void {
  const properties = isSchema(fit.properties) ? fit.properties : {};
  const required = Array.isArray(fit.required) ? fit.required.map(String) : [];
  const all = [...new Set(required)].filter(name => Object.hasOwn(properties, name));
  if (all.length > 0) fit.required = all;
  else if (!Array.isArray(fit.required) || fit.required.length > 0) delete fit.required;
}

function isExpression(pattern: Json): boolean {
  try {
    new RegExp(String(pattern), "u");
    return typeof pattern === "string";
  } catch {
    return false;
  }
}

/** Gemini wants a type for the items of a list, and takes few formats. */
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
    const areTexts = Array.isArray(words) && words.every(word => typeof word === "string" && word !== "");
    const plain = {
      description: typeof description === "string" ? description : undefined,
      items: one === "array" ? { type: "string" } : undefined,
      enum: one === "string" && areTexts ? words : undefined,
    };
    return [name, { type: one, ...defined(plain) }];
  });
  return { type: "object", properties: Object.fromEntries(simple), ...(Array.isArray(required) && { required }) };
}
