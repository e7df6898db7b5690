/** What the model reads of a server's tool: bounded, without hidden characters or what passes for Strata's words. The list has it as the server said it. */
import { toModelText } from "../../core/ground/text/hiddenText";
import { isObject } from "../../shared/isObject";
import type { Json } from "../../shared/messages";
import { type ListedTool, sha256 } from "../config/agreements";
import type { ToolChoice } from "../config/serverConfig";

export interface ToolName {
  /** `server:tool`, as people, rules and the log call it */
  name: string;
  tool: ListedTool;
  /** of all that the server says of it */
  hash: string;
}

const MAX_TOOL_NAME = 100;
const MAX_DESCRIPTION = 2_000;
const MAX_SCHEMA_CHARACTERS = 20_000;
const MAX_TEXT = 600;
const MAX_DEPTH = 20;
const MAX_NODES = 2_000;

/** Names that rules can have: other characters become `_`, and a second one of a name gets a number. */
export function nameTools(server: string, tools: readonly ListedTool[], choice: ToolChoice = {}): ToolName[] {
  const taken = new Set<string>();
  const { only, without = [] } = choice;
  return tools.flatMap(tool => {
    const clean = tool.name.replace(/[^\p{L}\p{N}_.:/@-]+/gu, "_").slice(0, MAX_TOOL_NAME) || "tool";
    let name = clean;
    for (let number = 2; taken.has(name); number++) name = `${clean}_${number}`;
    taken.add(name);
    // A name that is taken stays taken: what a tool is called does not hang on which others are offered.
    if ((only && !only.includes(tool.name)) || without.includes(tool.name)) return [];
    const hash = sha256(JSON.stringify([tool.title, tool.description, tool.inputSchema, tool.annotations]));
    return [{ name: `${server}:${name}`, tool, hash }];
  });
}

/** Any object. */
const ANY: Json = { type: "object", properties: {} };

export function describeTool({ title, description, name, inputSchema }: ListedTool) {
  const words = description.trim() || title || name;
  const jsonSchema = boundedSchema(inputSchema);
  const note = jsonSchema === undefined ? " (Its input's schema is too large to be shown here.)" : "";
  return { description: plain(words, MAX_DESCRIPTION) + note, jsonSchema: jsonSchema ?? ANY };
}

/** undefined: it is too large */
function boundedSchema(schema: Json): Json | undefined {
  const count = { nodes: 0 };
  const copy = copied(schema, 0, count);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) return ANY;
  const { $schema: _, ...rest } = copy;
  const object: Json = { ...rest, type: "object", properties: rest.properties ?? {} };
  return count.nodes > MAX_NODES || JSON.stringify(object).length > MAX_SCHEMA_CHARACTERS ? undefined : object;
}

function copied(value: Json, depth: number, count: { nodes: number }): Json {
  count.nodes += 1;
  if (typeof value === "string") return plain(value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH || count.nodes > MAX_NODES) return {};
  if (Array.isArray(value)) return value.map(item => copied(item, depth + 1, count));
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    if (key === "__proto__" || isElsewhere(key, item)) return [];
    return [[toModelText(key), copied(item, depth + 1, count)]];
  });
  return Object.fromEntries(entries);
}

/** A part of the schema at another address, which is not fetched. References into the schema itself stay. */
const isElsewhere = (key: string, value: Json): boolean =>
  (key === "$ref" || key === "$dynamicRef") && typeof value === "string" && !value.startsWith("#");

/** Without control and hidden characters, cut with a mark. */
function plain(text: string, most: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what goes
  const whole = toModelText(text.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ""));
  return whole.length <= most ? whole : `${whole.slice(0, most).toWellFormed()}…`;
}

/** Whether an input is an object with what is required; the server checks the rest. @returns a sentence for the model, or undefined */
export function complaintAbout(input: unknown, schema: Json): string | undefined {
  if (!isObject(input)) return "The input must be an object.";
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter(key => !Object.hasOwn(input, String(key)));
  return missing.length > 0 ? `Missing: ${missing.join(", ")}.` : undefined;
}
