/** What the next request would be: layers as they stand now and the conversation, assembled. */
import type { LedgerPage, Summary } from "../../../shared/compaction";
import { defined, some } from "../../../shared/defined";
import type { Segment, UnsentFile } from "../../../shared/manifest";
import type { Json, StrataMessage } from "../../../shared/messages";
import { mapStrings, type Redact, type Redacted } from "../../../shared/redacted";
import type { Files, Hash, ModelConnection, Redactor, RuleFile, Rules, Shell, Surroundings } from "../../ground/ports";
import { sanitizeText } from "../../ground/text/format";
import { rulesSource, sourceRules } from "../../ground/text/sources";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import type { History } from "../../log/history";
import { ledgerTexts } from "../../log/ledger/text";
import type { ForeignTools, Tool } from "../../tool/tool";
import type { AssembledRequest, AssembleMemo } from "../assemble";
import { assemble, messageTokens, withCacheMarks } from "../assemble";
import { prefixReuse, type RequestBefore } from "../breakCause";
import { type Form, hasWrittenTools, Images, type ToolDefinition } from "../compose";
import { buildLayers, type Layers, repairText, workingState } from "../layers";
import type { RequestLog } from "../requestLog";

export interface BuilderPorts {
  files: Files;
  shell: Shell;
  rules: Rules;
  surroundings: Surroundings;
  redactor: Redactor;
  hash: Hash;
}

/** What differs from the present conversation: the request for a summary, a compaction that is only planned. */
interface RequestChange {
  messages?: readonly StrataMessage[];
  summaries?: readonly Pick<Summary, "id" | "text">[];
  ledger?: readonly LedgerPage[];
  /** the newest turn whose observations are sent as kept */
  settled?: number;
  tail?: Layers["tail"];
  callOptions?: Record<string, Json>;
  /** what it is asked over; absent: nothing is sent */
  connection?: ModelConnection;
}

/** What the tail says that neither the conversation nor a port knows. */
interface TailSources {
  /** about background tasks */
  tasks(): string | undefined;
  /** a day that changed since the session began */
  day(): string | undefined;
  /** an answer is to be a plan */
  planning(): boolean;
}

/** Assembles requests over the same layers. Pure but for the images it loads beforehand. */
export type AssembleRequest = (change?: RequestChange) => AssembledRequest;

export class RequestBuilder {
  private readonly images: Images;
  private readonly memo: AssembleMemo = new WeakMap();
  /** of rules files that are cut: without secrets, which takes time */
  private readonly wholes = new Map<string, { whole: string; left: UnsentFile & { content: Redacted } }>();
  /** this process read skills and tools */
  private isRead = false;

  constructor(
    private readonly ports: BuilderPorts,
    private readonly history: History,
    private readonly tools: ToolSet,
    private readonly skills: KnownSkills,
    private readonly now: TailSources,
    private readonly log: RequestLog,
  ) {
    this.images = new Images(history.files);
  }

  /** The request of the next step. Rejects with StorageError. */
  async build(connection: ModelConnection, change: RequestChange = {}): Promise<AssembledRequest> {
    return (await this.prepare("running"))({ ...change, callOptions: toCallOptions(connection), connection });
  }

  /** The request of the next step, which has to say once more what could not be read of the answer. Rejects with StorageError. */
  rebuild(connection: ModelConnection, unreadable: string, { tail = this.layers([]).tail }: RequestChange = {}) {
    return this.build(connection, { tail: [...tail, repairText(unreadable, this.ports.redactor.redact)] });
  }

  /** What changes from step to step, as one text; undefined: there is nothing to say. */
  tailText(): string | undefined {
    const { tail } = this.layers([]);
    return tail.length === 0 ? undefined : tail.map(({ text }) => text).join("\n\n");
  }

  tokensOf = (message: StrataMessage, form: Form): number => messageTokens(message, form, this.images.get);

  /** Skills and tools as they are now, for the turn that begins and for requests between turns. */
  async refresh(): Promise<void> {
    await this.skills.read();
    // Without skills there is no tool that loads them.
    await this.tools.read(this.history.conversation.foundTools);
    this.isRead = true;
  }

  /**
   * Reads skills, tools, rules, editor and images once. Rejects with StorageError.
   * @param newest "running": the newest turn sends it, also where it is continued after an end that the log has
   */
  async prepare(newest: "running" | "as-logged" = "as-logged"): Promise<AssembleRequest> {
    const { ports, history } = this;
    // A turn keeps what it began with, but for tools that it found: each change is a break of the prefix.
    if (history.conversation.turnOpen && this.isRead) this.tools.add(history.conversation.foundTools);
    else await this.refresh();
    const { nestedRules, injectedMessages } = history.conversation;
    const found = await ports.rules.read(nestedRules);
    await noteRules(found, history);
    const rules = found.filter(({ problem, sameAs }) => problem === undefined && sameAs === undefined);
    const injected = [...injectedMessages.values()].flatMap(source => sourceRules(source) ?? []);
    const beside = injected.length === 0 ? [] : await ports.rules.read(injected);
    const injectedAlone = beside.filter(({ path }) => injected.includes(path) && !nestedRules.includes(path));
    const left = defined({ left: some([...found, ...injectedAlone].flatMap(rule => this.leftOf(rule))) });
    await this.images.load(history.conversation.messages);
    const layers = this.layers(rules);
    const { last, marked } = await this.log.before();
    return ({ messages, summaries, ledger, settled, tail, callOptions = {}, connection } = {}) => {
      const { conversation } = history;
      // Between turns: as the next one will send it.
      const turn = newest === "running" || conversation.turnOpen ? conversation.turn : conversation.lastTurn + 1;
      const input = {
        layers: tail ? { ...layers, tail } : layers,
        tools: this.tools.definitions,
        foreign: this.tools.foreignDefinitions,
        // Where nothing is asked it is about the request that was sent last.
        writesTools: connection ? connection.protocol === "react" : hasWrittenTools(last?.segments ?? []),
        ledger: ledgerTexts(ledger ?? conversation.ledger ?? []),
        summaries: summaries ?? conversation.summaries,
        messages: messages ?? conversation.messages,
        turn,
        settled: Math.min(settled ?? conversation.settled, turn - 1),
        brief: conversation.brief,
        callOptions,
        image: this.images.get,
        hash: ports.hash,
        memo: this.memo,
      };
      if (!connection) return assemble(input);
      const build = (withoutReasoning: ReadonlySet<string>) => ({
        ...assemble({ ...input, withoutReasoning }),
        ...left,
      });
      const request = withBoundReasoning(build, last, connection);
      if (!connection.cachePoint) return request;
      const own = marked.filter(({ model }) => model === connection.name);
      return withCacheMarks(request, own, ports.hash);
    };
  }

  /** What the model does not get of rules files, so that a person can be told later. */
  private leftOf({ path, problem, sameAs, whole }: RuleFile): NonNullable<AssembledRequest["left"]> {
    const source = rulesSource(path);
    if (problem !== undefined) return [{ source, why: "withheld", text: this.ports.redactor.redact(problem) }];
    if (sameAs !== undefined) return [{ source, why: "same", text: rulesSource(sameAs) }];
    if (whole === undefined) return [];
    const known = this.wholes.get(source);
    if (known?.whole === whole) return [known.left];
    const content = this.ports.redactor.redact(whole);
    const left = { source, why: "size", sha256: this.ports.hash.sha256(content), content } as const;
    this.wholes.set(source, { whole, left });
    return [left];
  }

  private layers(rules: readonly RuleFile[]): Layers {
    const { files, shell, surroundings, redactor } = this.ports;
    const { conversation } = this.history;
    const input = {
      facts: { roots: files.roots, platform: surroundings.platform, shell: shell.name },
      rules,
      skills: this.skills.current.skills,
      activeSkills: conversation.activeSkills,
      todos: conversation.todos,
      workingState: workingState(conversation),
      plan: conversation.plans.standing,
      planning: this.now.planning(),
      tasks: this.now.tasks(),
      day: this.now.day(),
      editor: surroundings.editor(),
      unfinished: endsWithAnswer(conversation.messages.at(-1)),
    };
    return buildLayers(input, redactor.redact);
  }
}

/** Some servers refuse a request that ends with the model's own words, and the model would not know that it is to go on. */
const endsWithAnswer = (message: StrataMessage | undefined): boolean =>
  message?.role === "assistant" && message.parts.every(part => part.type !== "dynamic-tool");

/**
 * A rules file that is too long, or not obeyed, is said once: it is worth knowing what the model does not see. A window that
 * only reads says nothing: the one that writes does.
 */
export async function noteRules(rules: readonly RuleFile[], history: History): Promise<void> {
  if (!history.files.writable) return;
  for (const { path, cutBytes, problem, unread = [] } of rules) {
    if (problem !== undefined) await warnOnce(history, "rules-withheld", `${path} is not obeyed. ${problem}`);
    for (const each of unread) {
      await warnOnce(history, "rules-import", `${path} imports @${each.path}, which was not read. ${each.problem}`);
    }
    const text = `${path} is longer than 32 KB: its last ${cutBytes} bytes are not sent to the model.`;
    if (cutBytes > 0) await warnOnce(history, "rules-cut", text);
  }
}

/** For people, where the log does not say it yet. */
export async function warnOnce(history: History, code: string, text: string): Promise<void> {
  if (history.warned.has(text)) return;
  history.warned.add(text);
  if (history.records.some(record => record.kind === "note" && record.text === text)) return;
  await history.append({ kind: "note", level: "warning", code, text });
}

/** The tools of a session: ours, then foreign ones, which may change between turns. */
export class ToolSet {
  /** as requests have them: the same list as long as the tools are the same */
  definitions: readonly ToolDefinition[] = [];
  foreignDefinitions: readonly ToolDefinition[] = [];
  /** by name: always the same map */
  get all(): ReadonlyMap<string, Tool> {
    return this.tools;
  }
  private readonly tools = new Map<string, Tool>();

  constructor(
    private readonly own: readonly Tool[],
    private readonly foreign: ForeignTools,
    private readonly redact: Redact,
  ) {
    this.take(new Set());
  }

  /** As they are now. */
  async read(found: ReadonlySet<string>): Promise<void> {
    await this.foreign.refresh();
    this.take(found);
  }

  /** Those that were found since, behind the others: within a turn nothing else changes. */
  add(found: ReadonlySet<string>): void {
    if ([...found].every(name => this.tools.has(name))) return;
    const more = this.foreign.list(found).filter(({ name }) => found.has(name) && !this.tools.has(name));
    this.set([...this.tools.values(), ...more]);
  }

  /** A foreign tool never takes the place of one of ours. */
  private take(found: ReadonlySet<string>): void {
    const names = new Set(this.own.map(({ name }) => name));
    this.set([...this.own, ...this.foreign.list(found).filter(({ name }) => !names.has(name))]);
  }

  private set(all: readonly Tool[]): void {
    const isForeign = ({ trust }: Tool) => trust === "mcp";
    const definitionOf = (tool: Tool) => toToolDefinition(tool, this.redact);
    // Also of the same tools: a secret that was learned since may stand in what their servers say.
    this.foreignDefinitions = sameOr(this.foreignDefinitions, all.filter(isForeign).map(definitionOf));
    const before = [...this.tools.values()];
    if (all.length === before.length && all.every((tool, at) => tool === before[at])) return;
    this.tools.clear();
    for (const tool of all) this.tools.set(tool.name, tool);
    // What Task says of its kinds may change while its name does not.
    this.definitions = sameOr(this.definitions, all.filter(tool => !isForeign(tool)).map(definitionOf));
  }
}

/** The list of before, where nothing changed: the memo is by list. */
const sameOr = (before: readonly ToolDefinition[], now: readonly ToolDefinition[]): readonly ToolDefinition[] =>
  JSON.stringify(before) === JSON.stringify(now) ? before : now;

/** What a server says of its tool is plain text without hidden characters and secrets. */
export function toToolDefinition({ name, description, input, trust }: Tool, redact: Redact): ToolDefinition {
  const inputSchema = trust ? mapStrings(input.jsonSchema, redact) : input.jsonSchema;
  return { name, description: redact(sanitizeText(description)), inputSchema };
}

/**
 * Reasoning that is bound to what stood before it (docs/context.md) travels no more once that changed. The manifest of the step
 * before tells what it is bound to, so that an opened session decides as the one that ran on.
 * @param assembleWithout the request without the reasoning of these messages
 */
function withBoundReasoning(
  assembleWithout: (messageIds: ReadonlySet<string>) => AssembledRequest,
  last: RequestBefore | undefined,
  { name, reasoningBinding }: ModelConnection,
): AssembledRequest {
  if (!reasoningBinding) return assembleWithout(new Set());
  // Another model's reasoning means nothing to this one.
  const before = last?.model === name ? last.segments : [];
  const dropped = before.flatMap(segment => (segment.form === "dropped" ? messageIds([segment]) : []));
  const request = assembleWithout(new Set(dropped));
  const at = brokenAt(before, request.segments, reasoningBinding);
  if (at === undefined) return request;
  return assembleWithout(new Set([...dropped, ...messageIds(request.segments.slice(at))]));
}

/** The first segment that is another than in the request before; undefined: it continues that one. */
function brokenAt(
  before: readonly Segment[],
  segments: readonly Segment[],
  binding: NonNullable<ModelConnection["reasoningBinding"]>,
): number | undefined {
  if (before.length === 0) return 0;
  const { brokenAt: at } = prefixReuse({ segments: before }, segments);
  const tail = before.findIndex(({ layer }) => layer === "tail");
  return binding === "request" && tail >= 0 ? Math.min(at ?? tail, tail) : at;
}

/** Of the answers among them. */
function messageIds(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ role, source }) =>
    role === "assistant" && source.startsWith(MESSAGE) ? [source.slice(MESSAGE.length)] : [],
  );
}

const MESSAGE = "message:";

// What goes with a request beside its content, part of the manifest.

export async function withLearntWindow(connection: ModelConnection): Promise<ModelConnection> {
  return { ...connection, ...defined({ contextWindow: await connection.learnWindow?.() }) };
}

/** The connection as a session's requests go over it: they share a cache where the provider is told whose they are. */
export function forSession(connection: ModelConnection, sessionId: string): ModelConnection {
  const { sessionOption: option, providerOptions } = connection;
  if (!option) return connection;
  const own = { ...providerOptions[option.provider], [option.name]: sessionId };
  return { ...connection, providerOptions: { ...providerOptions, [option.provider]: own } };
}

export function toCallOptions(connection: ModelConnection): Record<string, Json> {
  const { providerOptions, maxOutputTokens, reasoning, protocol } = connection;
  return { providerOptions, ...defined({ maxOutputTokens: maxOutputTokens || undefined, reasoning, protocol }) };
}
