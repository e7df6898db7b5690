/** Assembles each step's request from what stands now, and sends it. */
import * as z from "zod";
import type { AgentEvent } from "../../shared/events";
import type { Json, StrataMessage } from "../../shared/messages";
import { type AssembleMemo, assemble, type ToolDefinition } from "../context/assemble";
import { Images } from "../context/images";
import { buildLayers } from "../context/layers";
import type { RequestLog } from "../context/requestLog";
import type { History } from "../history/history";
import type {
  Clock,
  Files,
  Hash,
  Ids,
  Logger,
  ModelConnection,
  Redactor,
  RuleFile,
  Rules,
  SettingsSource,
  Shell,
  Surroundings,
} from "../ports";
import type { Tool } from "../tools/tool";
import { requestStep, type StepPlace, type StepResult } from "./request";

export interface SenderPorts {
  files: Pick<Files, "roots">;
  shell: Pick<Shell, "name">;
  rules: Rules;
  surroundings: Surroundings;
  settings: SettingsSource;
  redactor: Redactor;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  logger: Logger;
}

/** Sends the request of one step of the newest turn over a connection. */
export type SendStep = (place: StepPlace, connection: ModelConnection, signal: AbortSignal) => Promise<StepResult>;

export function createStepSender(
  ports: SenderPorts,
  history: History,
  tools: ReadonlyMap<string, Tool>,
  log: RequestLog,
  emit: (event: AgentEvent) => void,
): SendStep {
  const { surroundings, settings, redactor } = ports;
  const definitions = [...tools.values()].map(definitionOf);
  const images = new Images(history.files);
  const memo: AssembleMemo = new WeakMap();
  const deps = {
    history,
    log,
    logger: ports.logger,
    clock: ports.clock,
    ids: ports.ids,
    emit,
    logMessages: () => settings.get()["log.messages"],
    logPayload: () => settings.get()["log.payload"],
  };
  return async (place: StepPlace, connection: ModelConnection, signal: AbortSignal) => {
    const { messages, todos, summaries } = history.conversation;
    const rules = await ports.rules.read();
    await noteCutRules(rules, history);
    await images.load(messages);
    const layers = buildLayers({
      facts: { roots: ports.files.roots, platform: surroundings.platform, shell: ports.shell.name },
      rules: rules.map(rule => ({ ...rule, text: redactor.redact(rule.text) })),
      todos,
      editor: surroundings.editor(),
      unfinished: endsWithAnswer(messages.at(-1)),
    });
    const callOptions: Record<string, Json> = {
      providerOptions: connection.providerOptions,
      ...(connection.maxOutputTokens ? { maxOutputTokens: connection.maxOutputTokens } : {}),
    };
    const request = assemble({
      layers,
      tools: definitions,
      summaries,
      messages,
      turn: place.turn,
      callOptions,
      image: images.get,
      hash: ports.hash,
      memo,
    });
    return requestStep(place, connection, request, deps, signal);
  };
}

/** Some servers refuse a request that ends with the model's own words, and the model would not know that it is to go on. */
function endsWithAnswer(message: StrataMessage | undefined): boolean {
  return message?.role === "assistant" && message.parts.every(part => part.type !== "dynamic-tool");
}

/** A rules file that is too long is said once, by size: it is worth knowing what the model does not see. */
async function noteCutRules(rules: readonly RuleFile[], history: History): Promise<void> {
  for (const { path, cutBytes } of rules) {
    if (cutBytes === 0) continue;
    const text = `${path} is longer than 32 KB: its last ${cutBytes} bytes are not sent to the model.`;
    if (history.records.some(record => record.kind === "note" && record.text === text)) continue;
    await history.append({ kind: "note", level: "warning", code: "rules-cut", text });
  }
}

export function definitionOf(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, { io: "input" });
  return { name: tool.name, description: tool.description, inputSchema: inputSchema as Json };
}
