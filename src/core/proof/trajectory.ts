/**
 * A session as one trajectory of ATIF 1.7, which benchmarks and viewers of agents read: every answer that ever came, also of turns that
 * were rewound, and what went to archives (docs/formats.md). Reads only.
 */
import { defined, some } from "../../shared/defined";
import { isObject, parseJson } from "../../shared/isObject";
import type { MessagePart, Usage } from "../../shared/messages";
import { PICTURE_TYPES } from "../../shared/pictures";
import type { LogRecord, RecordOf } from "../../shared/records";
import { mapStrings } from "../../shared/redacted";
import { ErrorForPeople, onlyFor, type SessionReader } from "../ground/ports";
import { decodeUtf8 } from "../log/codec";
import { refKey } from "../log/conversation";
import { sessionUsage } from "../log/costs";
import { childrenOf, readWholeLog } from "../log/readLog";
import type { ExportDeps } from "./exportSession";

/** ms since the epoch: behind it a year has five digits, which readers refuse */
const YEAR_10000 = 253_402_300_800_000;

type ContentPart = { type: "text"; text: string } | { type: "image"; source: { media_type: string; path: string } };

/** A step before it has its number and time. */
interface Step {
  source: "system" | "user" | "agent";
  message: string | ContentPart[];
  reasoning_content?: string;
  model_name?: string;
  tool_calls?: object[];
  observation?: { results: object[] };
  metrics?: object;
  /** 0: no model gave it */
  llm_call_count?: number;
  extra: object;
}

type Trajectory = Awaited<ReturnType<typeof ownTrajectory>> & {
  /** of a child */
  trajectory_id?: string;
  subagent_trajectories?: Trajectory[];
};

/** JSON of the format; without secrets as of now. Rejects with StorageError, NewerLogError, NotALogError. */
export const trajectory = async (files: SessionReader, { redact, app }: Pick<ExportDeps, "redact" | "app">) =>
  mapStrings(await withChildren(files, app), redact);

async function withChildren(files: SessionReader, app: string): Promise<Trajectory> {
  const children: Trajectory[] = [];
  const lost: string[] = [];
  for await (const child of childrenOf(files)) {
    const unread = onlyFor(ErrorForPeople, () => void lost.push(`The log of agent ${child.id} cannot be read.`));
    const found = await withChildren(child, app).catch(unread);
    if (found) children.unshift({ trajectory_id: child.id, ...found });
  }
  const ids = children.map(({ session_id }) => session_id);
  return { ...(await ownTrajectory(files, app, ids, lost)), ...defined({ subagent_trajectories: some(children) }) };
}

/** @param children ids of those in it */
async function ownTrajectory(files: SessionReader, app: string, children: readonly string[], lost: readonly string[]) {
  const { records, missing, broken } = await readWholeLog(files);
  const gaps = [
    ...lost,
    ...missing.map(name => `${name} is missing or cannot be read.`),
    ...broken.map(({ file, line }) => `Line ${line} of ${file} cannot be read.`),
  ];
  const steps = stepsOf(records, children);
  const model = steps.findLast(step => step.model_name !== undefined)?.model_name;
  const tools = await toolDefinitions(files);
  return {
    schema_version: "ATIF-v1.7",
    session_id: files.id,
    agent: { name: "strata", version: app, ...defined({ model_name: model, tool_definitions: tools }) },
    steps,
    ...defined({ notes: gaps.length > 0 ? `Not all of the session is here. ${gaps.join(" ")}` : undefined }),
    final_metrics: finalMetrics(records, steps.length),
  };
}

function stepsOf(records: readonly LogRecord[], children: readonly string[]) {
  const begun = records.filter(record => record.kind === "child").filter(({ childId }) => children.includes(childId));
  const byCall = Map.groupBy(begun, refKey);
  const results = records
    .filter(record => record.kind === "result")
    .map(result => ({ ...result, children: new Set(byCall.get(refKey(result))?.map(({ childId }) => childId)) }));
  const called = Map.groupBy(results, ({ messageId }) => messageId);
  const answers = new Set(records.flatMap(record => (record.kind === "message" ? [record.message.id] : [])));
  const steps = records.flatMap(record => {
    const step =
      record.kind === "message" && record.message.role === "assistant"
        ? answerStep(record, called.get(record.message.id) ?? [])
        : record.kind === "result" && answers.has(record.messageId)
          ? undefined
          : otherStep(record);
    const isTime = record.ts >= 0 && record.ts < YEAR_10000;
    return step ? [{ ...(isTime && { timestamp: new Date(record.ts).toISOString() }), ...step }] : [];
  });
  // The format has no trajectory without a step.
  if (steps.length === 0) steps.push({ source: "system", message: "Nothing was said in this session.", extra: {} });
  return steps.map((step, at) => ({ step_id: at + 1, ...step }));
}

/** `children`: ids of those that its call asked */
type CallResult = RecordOf<"result"> & { children?: ReadonlySet<string> };

/** @param results of its calls, in the order in which they ended */
function answerStep({ message }: RecordOf<"message">, results: readonly CallResult[]): Step {
  const { turn, step, model, usage, requestId, finishReason, stopped } = message.metadata;
  const calls = message.parts.flatMap(part => (part.type === "dynamic-tool" ? [part] : []));
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  const toolCalls = calls.map(({ toolCallId, toolName, input }) => ({
    tool_call_id: toolCallId,
    function_name: toolName,
    // The format takes objects alone; what a model wrote may be any text.
    arguments: isObject(input) ? input : { input },
  }));
  const observed = results.map(result => ({
    ...(ids.has(result.callId) && { source_call_id: result.callId }),
    ...observation(result),
  }));
  return {
    source: "agent",
    ...words(message.parts),
    ...defined({
      model_name: model,
      tool_calls: some(toolCalls),
      observation: observed.length > 0 ? { results: observed } : undefined,
      metrics: usage && metrics(usage),
    }),
    llm_call_count: 1,
    extra: { turn, step, ...defined({ request_id: requestId, finish_reason: finishReason, stopped }) },
  };
}

const words = (parts: readonly MessagePart[]) => {
  const thoughts = parts.flatMap(part => (part.type === "reasoning" ? [part.text] : []));
  return {
    message: contentOf(parts),
    ...defined({ reasoning_content: thoughts.length > 0 ? thoughts.join("\n\n") : undefined }),
  };
};

/** As the model was shown it when it came. */
const observation = ({ forms, status, error, durationMs, children = new Set() }: CallResult) => ({
  content: forms.shown,
  ...defined({ subagent_trajectory_ref: some(Array.from(children, trajectory_id => ({ trajectory_id }))) }),
  extra: { status, ...defined({ error: error?.code }), duration_ms: durationMs },
});

/** What else the model was told, and what became of the conversation. undefined: nothing of it is a step. */
function otherStep(record: LogRecord): Step | undefined {
  const system = (message: string, extra: object): Step => ({ source: "system", message, extra });
  switch (record.kind) {
    case "message": {
      const { turn, step, kind } = record.message.metadata;
      // Pictures that a call brought follow its result as a message.
      const isOurs = record.message.role === "system" || (kind === "notice" && step > 0);
      return {
        source: isOurs ? "system" : "user",
        message: contentOf(record.message.parts),
        extra: { turn, ...(kind === "steer" && { steer: true }) },
      };
    }
    case "result": {
      const { turn, step, toolName, callId } = record;
      const [extra, results] = [{ turn, step, function_name: toolName, tool_call_id: callId }, [observation(record)]];
      // The answer that called it is gone; only an agent's step has results.
      return { source: "agent", message: "", llm_call_count: 0, observation: { results }, extra };
    }
    case "attempt": {
      const { turn, step, parts, requestId, reason } = record;
      // Its calls never ran.
      const extra = { turn, step, request_id: requestId, cut_off: reason };
      return { source: "agent", ...words(parts), llm_call_count: 1, extra };
    }
    case "inject":
      return system(record.text, { turn: record.turn, source: record.source });
    case "attachment":
      return system(record.text, { turn: record.turn, source: `attachment:${record.name}` });
    case "compaction": {
      const { summaries, usage } = record;
      const summary = summaries.at(-1);
      const extra = { source: "compaction", ...defined({ turns: summary?.turns, metrics: usage && metrics(usage) }) };
      return system(summary?.text ?? "", extra);
    }
    case "child": {
      const { phase, agent, title, reason = "done", why = reason, turn, childId, usage } = record;
      const extra = {
        turn,
        source: "agent",
        session_id: childId,
        reason,
        ...defined({ metrics: usage && metrics(usage) }),
      };
      return phase === "ended" ? system(`The agent ${agent} (${title}) ended: ${why}`, extra) : undefined;
    }
    case "rewind":
      if (record.phase !== "done" || record.head === undefined) return undefined;
      return system(`The conversation went back to before turn ${record.turn}.`, { source: "rewind" });
    case "turnEnd": {
      const { turn, reason, error } = record;
      if (reason === "done") return undefined;
      return system(`Turn ${turn} ended: ${error?.message ?? reason}`, {
        turn,
        reason,
        ...defined({ error: error?.code }),
      });
    }
    default:
      return undefined;
  }
}

/** Text; with pictures, which name the session's blobs, its parts. */
function contentOf(parts: readonly MessagePart[]): string | ContentPart[] {
  const content = parts.flatMap((part): ContentPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "data-reminder") return [{ type: "text", text: part.data.text }];
    if (part.type !== "file") return [];
    const { mediaType, filename = mediaType, url } = part;
    if (!PICTURE_TYPES.includes(mediaType)) return [{ type: "text", text: `[${filename}]` }];
    return [{ type: "image", source: { media_type: mediaType, path: url.replace(/^blob:/, "blobs/") } }];
  });
  const texts = content.flatMap(part => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length ? texts.join("\n\n") : content;
}

function metrics({ input, output, cachedInput, cost, cacheWrite, reasoning }: Usage) {
  const extra = defined({ cache_write_tokens: cacheWrite, reasoning_tokens: reasoning });
  return {
    prompt_tokens: input,
    completion_tokens: output,
    ...defined({ cached_tokens: cachedInput, cost_usd: cost }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** The session's own totals: those of all steps and of what stands beside them, summaries and titles. */
function finalMetrics(records: readonly LogRecord[], steps: number) {
  const { input, output, cachedInput, cost, costIsPartial } = sessionUsage(records);
  const beside = sessionUsage(records.filter(({ kind }) => kind !== "message"));
  return {
    total_prompt_tokens: input,
    total_completion_tokens: output,
    ...defined({ total_cached_tokens: cachedInput, total_cost_usd: cost }),
    total_steps: steps,
    extra: { beside_steps: metrics(beside), ...defined({ cost_is_partial: costIsPartial }) },
  };
}

/** Strata's own tools in the newest request that had any, as OpenAI's API takes them; undefined: they were told as text, or are gone. */
async function toolDefinitions(files: SessionReader) {
  const named = '"source":"tools","sha256":"';
  const requests = (await files.read("requests.jsonl")) ?? "";
  const at = requests.lastIndexOf(named);
  const sha256 = requests.slice(at + named.length).slice(0, 64);
  if (at < 0 || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const tools = parseJson(decodeUtf8((await files.getBlob(sha256)) ?? new Uint8Array()) ?? "");
  if (!Array.isArray(tools)) return undefined;
  return tools.filter(isObject).map(({ inputSchema: parameters, ...tool }) => {
    return { type: "function", function: { ...tool, parameters } };
  });
}
