/**
 * Names of parameters on the wire: providers take 64 letters, digits, `_`, `.` and `-`, and refuse the request for `$filter`.
 * So one is renamed where it leaves and gets its own name back where a call comes: nothing else knows of it.
 */
import { isObject } from "../shared/isObject";
import type { Json } from "../shared/messages";
import type { SchemaObject } from "./toolSchemas";

/** How the parameters of an object are called on the wire, and those within them. */
export interface ParameterNames {
  /** own name → name on the wire */
  wire: ReadonlyMap<string, string>;
  /** by own name; "*": of a list */
  inner: ReadonlyMap<string, ParameterNames>;
}

const PLAIN = /^[a-zA-Z0-9_.-]{1,64}$/;
const LISTED = "*";

/** `renamed`: undefined where all names are taken as they are. */
export function renameParameters(schema: SchemaObject): { schema: SchemaObject; renamed?: ParameterNames } {
  const wire = new Map<string, string>();
  const inner = new Map<string, ParameterNames>();
  const fit: SchemaObject = { ...schema };
  if (isObject(schema.properties)) {
    const names = Object.keys(schema.properties);
    const taken = new Set(names.filter(name => PLAIN.test(name)));
    const properties: SchemaObject = {};
    for (const [name, each] of Object.entries(schema.properties)) {
      const to = PLAIN.test(name) ? name : freeName(name, taken);
      if (to !== name) wire.set(name, to);
      const { schema: property, renamed } = isObject(each) ? renameParameters(each) : { schema: each };
      if (renamed) inner.set(name, renamed);
      properties[to] = to === name || !isObject(property) ? property : called(property, name);
    }
    fit.properties = properties;
    if (Array.isArray(schema.required)) fit.required = schema.required.map(name => wire.get(String(name)) ?? name);
  }
  if (isObject(schema.items)) {
    const items = renameParameters(schema.items);
    fit.items = items.schema;
    if (items.renamed) inner.set(LISTED, items.renamed);
  }
  if (wire.size === 0 && inner.size === 0) return { schema };
  return { schema: fit, renamed: { wire, inner } };
}

function freeName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[^a-zA-Z0-9_.-]+/g, "_")
      .replace(/^[_.-]+|[_.-]+$/g, "")
      .slice(0, 56) || "parameter";
  let free = plain;
  for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
  taken.add(free);
  return free;
}

function called(schema: SchemaObject, name: string): SchemaObject {
  const about = typeof schema.description === "string" ? ` ${schema.description}` : "";
  return { ...schema, description: `(${JSON.stringify(name)})${about}` };
}

/** An input as it leaves, or as it came. */
export function withNames(input: Json, renamed: ParameterNames, to: "wire" | "own"): Json {
  if (Array.isArray(input)) {
    const listed = renamed.inner.get(LISTED);
    return listed ? input.map(each => withNames(each, listed, to)) : input;
  }
  if (!isObject(input)) return input;
  const own = new Map([...renamed.wire].map(([name, wire]) => [wire, name]));
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const name = to === "own" ? (own.get(key) ?? key) : key;
      const within = renamed.inner.get(name);
      return [to === "wire" ? (renamed.wire.get(name) ?? name) : name, within ? withNames(value, within, to) : value];
    }),
  );
}
