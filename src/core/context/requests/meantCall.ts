/** What a call means whose name or input is not quite as it should be: read where there is one meaning, else left as it came. Pure. */
import { isObject } from "../../../shared/isObject";
import { nearName } from "../../../shared/nearestNames";

export interface CalledTool {
  name: string;
  /** a JSON Schema of an object */
  inputSchema?: unknown;
}

type InputFields = Record<string, unknown>;
interface CallReading {
  toolName: string;
  input: unknown;
  /** It is a call of a tool that there is, with an object as its input. */
  isWhole: boolean;
}

/** Models put the input below a word of its own. */
const WRAPPERS = ["input", "arguments", "args", "parameters", "params"];

/** What models know as a tool of its own and one of ours does (C-247): how its input is said to that one. */
const PART_OF: Readonly<Record<string, { tool: string; said(input: InputFields): InputFields }>> = {
  MultiEdit: { tool: "Edit", said: input => input },
  KillBash: { tool: "BashOutput", said: ({ shell_id, ...input }) => ({ bash_id: shell_id, ...input, kill: true }) },
};

export function meantCall(written: string, input: unknown, tools: readonly CalledTool[]): CallReading {
  const names = tools.map(({ name }) => name);
  const near = nearName(written, [...names, ...Object.keys(PART_OF).filter(name => !names.includes(name))]);
  const part = names.includes(near ?? "") ? undefined : PART_OF[near ?? ""];
  const toolName = part?.tool ?? near;
  const tool = tools.find(({ name }) => name === toolName);
  const fields = asFields(input, 2);
  if (!tool || !fields) return { toolName: toolName ?? written, input, isWhole: false };
  const own = unwrapped(fields, tool);
  return { toolName: tool.name, input: withTypes(part?.said(own) ?? own, tool), isWhole: true };
}

/** @param depth how often it may have been encoded */
function asFields(input: unknown, depth: number): InputFields | undefined {
  if (isObject(input)) return input;
  if (Array.isArray(input)) return input.length === 1 && isObject(input[0]) ? input[0] : undefined;
  if (typeof input !== "string" || depth === 0) return undefined;
  const text = bare(input);
  return text === "" ? {} : asFields(parsed(text) ?? oneOfSeveral(text), depth - 1);
}

/** Marks are short. */
const MAX_MARKS = 200;
/** More objects than these nobody puts together. */
const MAX_OBJECTS = 8;

/** Without the code block around it and the marks of the model's own form behind it. */
function bare(written: string): string {
  const text = written.trim().replace(/^```\w*\s*/, "");
  return (text.slice(0, -MAX_MARKS) + withoutMarks(text.slice(-MAX_MARKS))).trim();
}

function withoutMarks(text: string): string {
  const end = text.trimEnd();
  const mark = /(?:```|<\/?[\w:｜|]{1,60}>|<[|｜][^<>]{0,100}[|｜]>)$/.exec(end);
  return mark ? withoutMarks(end.slice(0, mark.index)) : end;
}

/** `{}{"file_path": …}`, or the same twice: servers put pieces together that are each a whole. */
function oneOfSeveral(text: string): InputFields | undefined {
  const [first, ...others] = objectsIn(text);
  return others.length === 0 ? first : undefined;
}

/** Inputs that stand one behind the other in the place of one: calls that their server joined, each of which is one by itself. */
export function joinedInputs(written: string, input: unknown, tools: readonly CalledTool[]): readonly unknown[] {
  if (typeof input !== "string") return [input];
  const all = objectsIn(bare(input));
  return all.length > 1 && all.every(each => isComplete(written, each, tools)) ? all : [input];
}

function isComplete(written: string, fields: InputFields, tools: readonly CalledTool[]): boolean {
  const { toolName, isWhole } = meantCall(written, fields, tools);
  const schema = tools.find(({ name }) => name === toolName)?.inputSchema;
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return isWhole && required.every(key => String(key) in fields);
}

/** Those of a text that is nothing but objects, each once, without what is empty; none where it is anything else, or one alone. */
function objectsIn(text: string): InputFields[] {
  if (!text.startsWith("{")) return [];
  const parts = text.split(/(?<=\})\s*(?=\{)/);
  if (parts.length < 2 || parts.length > MAX_OBJECTS) return [];
  const all = new Map<string, InputFields>();
  let open = "";
  for (const part of parts) {
    open += part;
    const value = parsed(open);
    if (value === undefined) continue;
    if (!isObject(value)) return [];
    if (Object.keys(value).length > 0) all.set(JSON.stringify(value), value);
    open = "";
  }
  return open === "" ? [...all.values()] : [];
}

function unwrapped(input: InputFields, tool: CalledTool): InputFields {
  const [key, ...more] = Object.keys(input);
  if (key === undefined || more.length > 0 || !WRAPPERS.includes(key) || key in propertiesOf(tool)) return input;
  return asFields(input[key], 2) ?? input;
}

/** A list, object, number or truth value that was written as a text. */
function withTypes(input: InputFields, tool: CalledTool): InputFields {
  const properties = propertiesOf(tool);
  let meant = input;
  for (const [key, value] of Object.entries(input)) {
    const { type } = properties[key] ?? {};
    if (typeof value !== "string" || typeof type !== "string" || type === "string") continue;
    const read = parsed(value.trim());
    if (read !== undefined && isOfType(read, type)) meant = { ...meant, [key]: read };
  }
  return meant;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return (type === "number" || type === "boolean") && typeof value === type;
}

function propertiesOf({ inputSchema }: CalledTool): Record<string, { type?: unknown } | undefined> {
  const properties = isObject(inputSchema) ? inputSchema.properties : undefined;
  return isObject(properties) ? (properties as Record<string, { type?: unknown }>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What it means instead is looked for elsewhere, and its input stays what it is.
    return undefined;
  }
}
