/** The answer of one request, collected as its parts stream. */
import { defined } from "../../../shared/defined";
import type { AgentEventOf } from "../../../shared/events";
import { isObject, parseJson } from "../../../shared/isObject";
import { type Json, type MessagePart, SHOWN_ONLY, type ToolCallPart } from "../../../shared/messages";
import { nearName } from "../../../shared/nearestNames";
import { AnswerError, type AnswerPart, type ModelConnection } from "../../ground/ports";
import { CUT_CALL, isCutJson, OPEN_JSON } from "../../tool/cutCall";

/** What is shown while an answer streams; the caller adds the request's id. */
export type StepDelta =
  | Omit<AgentEventOf<"text">, "requestId">
  | Omit<AgentEventOf<"reasoning">, "requestId">
  | Omit<AgentEventOf<"callInput">, "requestId">;

type Prose = Extract<MessagePart, { type: "text" | "reasoning" }>;
type Metadata = NonNullable<Prose["providerMetadata"]>;
type AnswerCall = Extract<AnswerPart, { type: "tool-call" }>;

/**
 * Collects the parts of one answer as they stream: text, reasoning and tool calls, in the order they began. What a
 * provider wants back with a part (reasoning signatures, item ids) stays with it.
 */
export class Answer {
  private readonly all: MessagePart[] = [];
  private readonly open = new Map<string, Prose>();
  private readonly writing = new Map<string, { toolName: string; chars: number }>();
  private length = 0;
  private hasForeignCalls = false;
  private readonly callIds = new Set<string>();
  /** ids on the wire of calls that came to their end */
  private readonly whole = new Set<string>();

  constructor(
    private readonly tools: readonly CalledTool[],
    private readonly onDelta: (delta: StepDelta) => void,
    private readonly from: Pick<ModelConnection, "maxAnswerLength" | "mark">,
  ) {}

  /** Throws AnswerError where the answer does not end. */
  add(part: AnswerPart): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.addProse(part.type.startsWith("text") ? "text" : "reasoning", part);
        break;
      case "text-was-thought":
        this.takeTextsBack();
        break;
      case "tool-input-start":
        if (part.providerExecuted) break;
        this.writing.set(part.id, { toolName: part.toolName, chars: 0 });
        this.countCalls(this.writing.size);
        break;
      case "tool-input-delta":
        this.writeInput(part.id, part.delta);
        break;
      case "tool-call":
        this.whole.add(part.toolCallId);
        if (part.providerExecuted) this.addForeignCall(part);
        else this.addCalls(part);
        this.countCalls(this.callIds.size);
        break;
    }
  }

  /** The answer reached the most tokens it may have: a call that did not come whole is one that was cut off. */
  cutOff(): void {
    for (const [id, { toolName }] of this.writing) {
      if (this.whole.has(id)) continue;
      const call = { type: "dynamic-tool", toolName, toolCallId: this.uniqueId(id), state: "input-available" } as const;
      this.all.push({ ...call, input: {}, errorText: CUT_CALL });
    }
    const last = this.all.at(-1);
    const isEmpty = last?.type === "dynamic-tool" && JSON.stringify(last.input) === "{}";
    if (last?.type === "dynamic-tool" && (isEmpty || last.errorText !== undefined)) last.errorText = CUT_CALL;
  }

  parts(): MessagePart[] {
    return this.all.filter(part => !("text" in part) || part.text !== "" || part.providerMetadata !== undefined);
  }

  /** The parts of an answer that did not come to its end: a call whose input broke off is dropped. */
  partsSoFar(): MessagePart[] {
    return this.parts().filter(part => part.type !== "dynamic-tool" || part.errorText === undefined);
  }

  /** Something a person or the loop can act on: text or a call. */
  get hasContent(): boolean {
    return this.all.some(part => part.type === "dynamic-tool" || (part.type === "text" && part.text.trim() !== ""));
  }

  get hasOnlyForeignCalls(): boolean {
    return this.hasForeignCalls && !this.all.some(({ type }) => type === "dynamic-tool");
  }

  private addProse(
    type: Prose["type"],
    piece: { type: string; id: string; delta?: string; providerMetadata?: unknown },
  ): void {
    const key = `${type} ${piece.id}`;
    const open = piece.type.endsWith("-start") ? undefined : this.open.get(key);
    const prose: Prose = open ?? { type, text: "" };
    if (!open) this.all.push(prose);
    if (piece.type.endsWith("-end")) this.open.delete(key);
    else this.open.set(key, prose);
    prose.text += piece.delta ?? "";
    this.grow(piece.delta?.length ?? 0);
    const isThought = type === "reasoning";
    if (piece.providerMetadata) prose.providerMetadata = this.kept(piece.providerMetadata, isThought) as Metadata;
    else if (isThought && piece.delta && !prose.providerMetadata && this.from.mark)
      prose.providerMetadata = { strata: { by: this.from.mark } };
    if (piece.delta) this.onDelta({ type, delta: piece.delta });
  }

  /** What a provider wants back, and whose it is: another one refuses it. */
  private kept(metadata: unknown, isMarked: boolean): Json {
    const own = plainJson(metadata) as Record<string, Json>;
    return isMarked && this.from.mark && !own.strata ? { ...own, strata: { by: this.from.mark } } : own;
  }

  private takeTextsBack(): void {
    for (const [at, part] of this.all.entries())
      if (part.type === "text") this.all[at] = { type: "reasoning", text: part.text, providerMetadata: SHOWN_ONLY };
    for (const key of [...this.open.keys()]) if (key.startsWith("text ")) this.open.delete(key);
  }

  /** The provider ran it itself: it is shown among the thoughts, and gets no result. */
  private addForeignCall({ toolName, input }: AnswerCall): void {
    this.hasForeignCalls = true;
    const read = readInput(input).input;
    const said = typeof read === "string" ? read : JSON.stringify(read);
    const text = `${toolName.replace(/^mcp\./, "")} ${said}\n`;
    this.all.push({ type: "reasoning", text, providerMetadata: SHOWN_ONLY });
    this.onDelta({ type: "reasoning", delta: text });
  }

  private writeInput(callId: string, delta: string): void {
    const call = this.writing.get(callId);
    if (!call) return;
    call.chars += delta.length;
    this.grow(delta.length);
    this.onDelta({ type: "callInput", callId, toolName: call.toolName, chars: call.chars });
  }

  private countCalls(calls: number): void {
    if (calls > MAX_CALLS) throw new AnswerError("too-many-calls", `the answer has more than ${MAX_CALLS} calls`);
  }

  private grow(characters: number): void {
    this.length += characters;
    if (this.length > this.from.maxAnswerLength)
      throw new AnswerError("too-long", `the answer has more than ${this.from.maxAnswerLength} characters`);
  }

  /** Of several calls that a server joined, the first one has the metadata. */
  private addCalls(call: AnswerCall): void {
    const { input, error } = readInput(call.input);
    const isLong = call.input.length > MAX_INPUT_CHARACTERS || isDeeper(input, MAX_INPUT_DEPTH);
    const inputs = isLong ? [{}] : joinedInputs(call.toolName, input, this.tools);
    const { providerMetadata: _, ...bare } = call;
    const fault = isLong ? TOO_MUCH : error;
    this.all.push(...inputs.map((each, at) => this.call(at === 0 ? call : bare, each, fault)));
  }

  private call(call: AnswerCall, written: unknown, fault: string | undefined): ToolCallPart {
    const metadata = call.providerMetadata && this.kept(call.providerMetadata, true);
    const { toolName, input, isWhole } = meantCall(call.toolName, written, this.tools);
    const errorText = fault === TOO_MUCH ? fault : isWhole ? undefined : this.complaint(toolName, input, fault);
    return {
      type: "dynamic-tool",
      toolName,
      toolCallId: this.uniqueId(call.toolCallId),
      state: "input-available",
      input: plainJson(input ?? {}),
      ...defined({ errorText }),
      ...(metadata ? { callProviderMetadata: metadata as ToolCallPart["callProviderMetadata"] } : {}),
    };
  }

  /** Some servers number the calls of each answer alike, or not at all: a result must find its call. */
  private uniqueId(id: string): string {
    let unique = id;
    for (let number = this.callIds.size + 1; unique === "" || this.callIds.has(unique); number++)
      unique = `${id || "call"}_${number}`;
    this.callIds.add(unique);
    return unique;
  }

  /** The problem of the call, as the end of a sentence that its result begins. */
  private complaint(toolName: string, input: unknown, error: string | undefined): string | undefined {
    const names = this.tools.map(tool => tool.name);
    if (!names.includes(toolName)) return `there is no tool "${toolName}", only ${names.join(", ")}.`;
    if (error === undefined) return undefined;
    return `it is not valid JSON (${error}${typeof input === "string" && isCutJson(input) ? OPEN_JSON : ""}).`;
  }
}

/** The JSON of a call's input; other text stays a text, with the parser's words. */
function readInput(text: string): { input: unknown; error?: string } {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch (error) {
    return { input: text, error: error instanceof Error ? error.message : String(error) };
  }
}

/** in one answer */
const MAX_CALLS = 500;
/** of JSON: no tool takes so much */
const MAX_INPUT_CHARACTERS = 4_000_000;
const MAX_INPUT_DEPTH = 100;
const TOO_MUCH = "its input is too long or nested too deeply.";

/** Deeper nesting than the stack would end the process. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1)));

/** Exactly what the log will hold: without `undefined`, which providers leave in their metadata. */
const plainJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

// What a call means whose name or input is not quite as it should be: read where there is one meaning, else left as it came.

interface CalledTool {
  name: string;
  inputSchema?: unknown;
}

type InputFields = Record<string, unknown>;

const WRAPPERS = ["input", "arguments", "args", "parameters", "params"];

/** What models know as a tool of its own and one of ours does (C-247): how its input is said to that one. */
const PART_OF: Readonly<Record<string, { tool: string; said(input: InputFields): InputFields }>> = {
  MultiEdit: { tool: "Edit", said: input => input },
  KillBash: { tool: "BashOutput", said: ({ shell_id, ...input }) => ({ bash_id: shell_id, ...input, kill: true }) },
};

/** @returns `isWhole`: it is a call of a tool that there is, with an object as its input */
export function meantCall(written: string, input: unknown, tools: readonly CalledTool[]) {
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
  return text === "" ? {} : asFields(parseJson(text) ?? oneOfSeveral(text), depth - 1);
}

const MAX_MARKS = 200;
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
function joinedInputs(written: string, input: unknown, tools: readonly CalledTool[]): readonly unknown[] {
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

/** The objects of a text of two or more and nothing else, each once, without empty ones. */
function objectsIn(text: string): InputFields[] {
  if (!text.startsWith("{")) return [];
  const parts = text.split(/(?<=\})\s*(?=\{)/);
  if (parts.length < 2 || parts.length > MAX_OBJECTS) return [];
  const all = new Map<string, InputFields>();
  let open = "";
  for (const part of parts) {
    open += part;
    const value = parseJson(open);
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
    const read = parseJson(value.trim());
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
