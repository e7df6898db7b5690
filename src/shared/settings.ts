/**
 * Every setting, once: name, default, meaning. The manifest's `contributes.configuration` is generated from this schema
 * (scripts/manifest.mjs), the terminal parses files, environment and flags with it (docs/settings.md).
 * The name is the path: `model.baseUrl` is the setting `strata.model.baseUrl` and the variable `STRATA_MODEL_BASE_URL`.
 */
import * as z from "zod";
import { t } from "./l10n";
import { tokenPricesSchema } from "./messages";
import { COMMON, COMMON_API, localServers, localTitles, namedProviders, ownProviders } from "./modelProviders";
import {
  contextMemories,
  dirtyFilesValues,
  modelProviders,
  notificationsValues,
  permissionModes,
  readModelName,
  reasoningValues,
  sandboxModes,
} from "./settingValues";

const rules = z.array(z.string().max(10_000)).max(2_000).default([]);
const names = z.array(z.string().min(1).max(300)).max(1_000).default([]);
const toolTokens = z.int().min(0).default(3_000);
const dollars = z.number().min(0).max(100_000).default(0);

/** a host, those below one, or one at a port */
const HOST =
  /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

export const settingsSchema = z.object({
  "model.provider": z
    .enum(modelProviders)
    .default("auto")
    .describe(
      `Which provider to use. \`server\`: the one at \`strata.model.baseUrl\`, through ${COMMON_API}, unless the address belongs to another provider. ${namedProviders.map(name => `\`${name}\``).join(", ")}: through that provider's own API, at its own address unless \`strata.model.baseUrl\` is set to another one. \`vscode\`: a model that VS Code provides, such as Copilot's; no key is needed. \`auto\`: by the name of the model (${namedProviders.flatMap(name => (ownProviders[name].named === undefined ? [] : [`\`${ownProviders[name].named}\``])).join(", ")}) and the address where \`strata.model.name\` names one, else VS Code's first.`,
    ),
  "model.baseUrl": z
    .string()
    .default(ownProviders[COMMON].address)
    .describe(
      `Base URL of the model's server, including the version: \`${ownProviders[COMMON].address}\`, \`${localServers.ollama.address}\`. While it is ${ownProviders[COMMON].title}'s, other providers use their own addresses.`,
    ),
  "model.name": z
    .string()
    .default("")
    .describe(
      `Name of the model on its server. Put a provider in front to use that provider: \`${namedProviders[0]}:claude-…\`, \`vscode:copilot/…\`, \`ollama:…\`. Empty: one of a provider whose key or address is set, else VS Code's first, else one of a server on this machine (${localTitles.join(", ")}).`,
    ),
  "model.favorites": z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe(
      "Models that *Choose Model* lists first, each with its provider in front. The star in that list adds them here.",
    ),
  "model.fallback": z
    .array(z.string().trim().min(1).max(300))
    .max(3)
    .default([])
    .describe(
      "Models that take over, in this order, for the rest of a turn whose model is overloaded, out of credit or out of reach, breaks its answers off or refuses the request: names as in `strata.model.name`, at most three. The conversation goes to their providers then. The next turn begins with `strata.model.name` again.",
    ),
  "model.api": z
    .enum(["auto", "responses", "chat"])
    .default("auto")
    .describe(
      `Which of ${ownProviders[COMMON].title}'s two APIs the server supports. \`auto\`: Responses at ${new URL(ownProviders[COMMON].address).hostname}, Chat Completions elsewhere.`,
    ),
  "model.protocol": z
    .enum(["auto", "tools", "react"])
    .default("auto")
    .describe(
      "How the model calls tools. `tools`: through its provider's tool calling. `react`: as text (`Thought:`, `Action: Read[{…}]`), for models without it. `auto`: tool calling, and text where the server refuses tools, as long as Strata runs.",
    ),
  "model.contextWindow": z
    .int()
    .min(0)
    .refine(tokens => tokens === 0 || tokens >= 4000, {
      error: () => t("a window has at least 4000 tokens; 0 takes what is known"),
    })
    .default(0)
    .describe(
      "Size of the model's context window, in tokens (at least 4,000). 0: what is known of the model, but no more than it reads at its lower price where long requests cost more; a server of your own (vLLM, llama.cpp, LM Studio, Ollama, TGI) is asked what it was started with; 200,000 where nothing is known.",
    ),
  "model.prices": z
    .record(z.string().min(1).max(200), tokenPricesSchema)
    .default({})
    .describe(
      'What models cost, where Strata does not know it or you pay something else, in US dollars for a million tokens, by the name of the model: `{"my-model": {"input": 1, "cachedInput": 0.1, "cacheWrite": 1.25, "output": 5}}`. Input that is cached costs as other input where its price is left out. A server on this machine or in your own network costs nothing, unless the model is one that only its maker runs (`gpt-…`, `claude-…`).',
    ),
  "model.maxOutputTokens": z
    .int()
    .min(0)
    .default(0)
    .describe("Maximum number of tokens that the model may write in one step. 0: the server decides."),
  "model.reasoning": z
    .enum(reasoningValues)
    .default("default")
    .describe("How much the model thinks before it answers, if it supports that. `default` leaves it to the server."),
  "model.timeoutSeconds": z
    .int()
    .min(5)
    .default(120)
    .describe(
      "Seconds without any data from the model after which a request fails. A local model that loads slowly may need more.",
    ),
  "model.maxAnswerMegabytes": z
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe(
      "Megabytes of text and calls in one answer after which it is cut off: a server that never ends would fill the memory. Over the wire, decompressed, it may take ten times as much.",
    ),
  "agent.maxSteps": z
    .int()
    .min(1)
    .default(200)
    .describe("Model calls in one turn after which the agent stops and asks whether to go on."),
  "agent.maxCostPerTurn": dollars.describe(
    "US dollars that one turn may cost before the agent stops and asks whether to go on; going on gives as much again. It knows what its model costs or `strata.model.prices` says. 0: no limit.",
  ),
  "agent.maxCostPerDay": dollars.describe(
    "US dollars that all sessions of a day may cost, in every window and terminal, before the agent stops and asks whether to go on; going on gives that session as much again. 0: no limit.",
  ),
  "context.memory": z
    .enum(contextMemories)
    .default("lean")
    .describe(
      "What the model sees of turns that ended. `lean`: of the last one tool output in its short form, of older ones your message, one line of what was done, and the answer. `plain`: of all of them tool output in its short form. The whole stays in the session's files, and the model can look it up.",
    ),
  "history.keepRounds": z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Number of newest turns (from your message to the final answer) that a compaction keeps word for word. A number holds as far as those turns fit in 70 % of the context window. null: those that fit in half of it, and by hand at most 10.",
    ),
  "summary.model": z
    .string()
    .default("")
    .describe(
      "Model that writes the summary of a compaction: a name as in `strata.model.name`. Empty: the one in use.",
    ),
  "model.small": z
    .string()
    .default("")
    .describe(
      "Model for small things (a session's title, a commit message): a name as in `strata.model.name`. Empty: the one in use.",
    ),
  "sessions.titles": z
    .boolean()
    .default(true)
    .describe(
      "Have the model for small things name a session after its first turn, from the beginnings of your message and the answer (a few hundred tokens). Off: its first words name it.",
    ),
  "recall.sessions": z
    .boolean()
    .default(true)
    .describe(
      "Let the agent search what was said in earlier sessions of this workspace, where it looks for something of then (its tool Recall). Nothing of them is sent unless it asks.",
    ),
  "storage.maxBytes": z
    .int()
    .min(0)
    .default(2_000_000_000)
    .describe(
      "Size of all sessions on disk, in bytes, from which Strata offers to remove the oldest. Nothing is removed without asking you. 0: no limit.",
    ),
  "permissions.mode": z.enum(permissionModes).default("ask").describe("What new conversations may do without asking."),
  "permissions.allow": rules.describe(
    "What runs without asking, as rules: `Bash(npm test *)`, `Edit(docs/**)`, `server:tool`. A rule for a command holds for each program in it.",
  ),
  "permissions.ask": rules.describe("What always asks, as rules. Takes precedence over what is allowed."),
  "permissions.deny": rules.describe("What never runs, as rules. Takes precedence over all other rules."),
  "permissions.untrustedContent": z
    .enum(["ask", "ignore"])
    .default("ask")
    .describe(
      "After the agent reads untrusted text (from outside the workspace, from the web, from a server's tool), changes ask until your next message, in every mode. Rules and what you allowed for the session still hold. `ignore`: changes do not ask because of that.",
    ),
  "permissions.runEverything": z
    .boolean()
    .default(false)
    .describe(
      "In the mode Auto, run every command without asking, whatever it does to this machine. **Dangerous**: a text that the model reads can make it run anything. Only rules that deny or ask still hold, and protected files still ask.",
    ),
  "edits.save": z
    .boolean()
    .default(true)
    .describe("Save files after the agent edits them. Off: edits stay unsaved in the editor."),
  "edits.review": z
    .enum(["editor", "panel"])
    .default("editor")
    .describe("Where you review an edit that needs your approval."),
  "review.marks": z
    .boolean()
    .default(true)
    .describe("Mark the agent's changes in the editor until you keep or undo them. The agent does not wait for this."),
  "diagnostics.waitMs": z
    .int()
    .min(0)
    .max(60_000)
    .default(2_000)
    .describe(
      "How long an edit waits at most for the language's checker, in milliseconds, so that the agent learns of new problems. 0: edits do not wait and report no problems.",
    ),
  "bash.timeoutSeconds": z
    .int()
    .min(1)
    .max(600)
    .default(120)
    .describe("Seconds after which a command is stopped when the agent names no other limit (at most 600)."),
  "bash.dirtyFiles": z
    .enum(dirtyFilesValues)
    .default("ask")
    .describe(
      "What to do when files of the workspace have unsaved changes and a command is about to run, which sees only what is on disk. The model is told.",
    ),
  "bash.sandbox": z
    .enum(sandboxModes)
    .default("auto")
    .describe(
      "Which commands run in a sandbox: they read the workspace, the system and what tools need of your home folder (`strata.bash.read` adds to it), but no secrets (`.env` and the like), write in the workspace and a temporary folder of their own, and reach no network. On Linux it needs bubblewrap; there is none on Windows.",
    ),
  "bash.network": z
    .array(
      z
        .string()
        .regex(HOST, { error: () => t("a host is written as `example.com`, `*.example.com` or `example.com:8443`") }),
    )
    .max(200)
    .default([])
    .describe(
      "Hosts that commands in the sandbox may reach, through a proxy: `registry.npmjs.org`, `*.example.com`, `example.com:8443`. **What a command reads it can send there.** Programs that know no proxy reach nothing.",
    ),
  "bash.read": z
    .array(
      z
        .string()
        .max(1_000)
        .regex(/^(?:~$|~\/|\/)/, { error: () => t("a place is written as `~/tools` or `/srv/data`") }),
    )
    .max(200)
    .default([])
    .describe(
      "Files and folders that commands in the sandbox may read beside what it shows of home folders and mounted disks: `~/tools`, `/mnt/data`. It shows what tools need: toolchains, caches, settings of packages without their tokens. What is named here is shown whole.",
    ),
  "bash.env": z
    .array(z.string().min(1).max(200))
    .max(200)
    .default(["*"])
    .describe(
      "Variables of the environment that commands get, by name or with `*`; with `!` in front those that they do not get; later ones count: `*`, `!AWS_*`. `PATH`, `HOME` and the like they always get, Strata's own keys never. In the sandbox `*` is what tools need, and none that looks like a secret: name what a command misses there, without `*` (`*`, `DATABASE_URL`).",
    ),
  "mcp.maxToolTokens": toolTokens.describe(
    "Tokens that the definitions of MCP servers' tools may take of each request. Where all together take more, the model finds the tools it needs by words. 0: it always does.",
  ),
  "mcp.timeoutSeconds": z
    .int()
    .min(1)
    .max(3_600)
    .default(120)
    .describe(
      "Seconds without an answer or a sign of progress after which a call of an MCP server's tool is given up.",
    ),
  "mcp.off": names.describe(
    "MCP servers and tools that are switched off, by name: `server`, `server:tool`, `server:delete_*`. *Strata: Show MCP Servers* writes it.",
  ),
  "mentions.inComments": z
    .boolean()
    .default(true)
    .describe(
      "Mentions of files (`@src/a.ts`) in comments of code: completion, links, and *Ask About This Comment* in the context menu. Off: in Markdown, plain text, commit messages and prompts only.",
    ),
  notifications: z
    .enum(notificationsValues)
    .default("whenHidden")
    .describe(
      "When VS Code notifies you that the agent needs an answer or that its turn failed. The badge on Strata's icon and the status bar always show it.",
    ),
  "log.messages": z
    .boolean()
    .default(true)
    .describe(
      "Write a digest of every model request and its answer (sizes, times, tokens, no content) to the daily log.",
    ),
  "log.payload": z
    .boolean()
    .default(false)
    .describe(
      "Write the full content of model requests and answers to the daily log, with secrets hidden. For troubleshooting only.",
    ),
  "telemetry.otlpEndpoint": z
    .string()
    .max(2_000)
    .default("")
    .describe(
      "Address of an OpenTelemetry collector of your own (`http://localhost:4318`), to which turns, model requests and tool calls are sent as spans, by OTLP over HTTP as JSON. Headers that it asks for come from the variable `OTEL_EXPORTER_OTLP_HEADERS`. Empty: nothing is sent to anybody.",
    ),
  "telemetry.captureContent": z
    .boolean()
    .default(false)
    .describe(
      "Put what was said, read and answered into the spans for `strata.telemetry.otlpEndpoint`, secrets hidden. Off: names, times, tokens and errors only.",
    ),
});
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;
/** The default of each setting. */
export const defaultSettings: Settings = settingsSchema.parse({});

export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];

/** Tokens of an unknown context window. */
export const DEFAULT_WINDOW = 200_000;

/**
 * What differs by machine: a remote window and a container have their own (VS Code's scope `machine`). A workspace sets none
 * of them.
 */
export const machineSettings: readonly SettingName[] = [
  "model.baseUrl",
  "storage.maxBytes",
  "bash.sandbox",
  "bash.network",
  "bash.read",
  "bash.env",
  "log.messages",
  "log.payload",
  "telemetry.otlpEndpoint",
  "telemetry.captureContent",
];

/**
 * Settings that a workspace may set. A repository must not decide where the key is sent, what runs without asking or what is
 * logged. The manifest's scopes are generated from this, and the terminal reads workspace files with it.
 */
export const workspaceSettings: readonly SettingName[] = [
  "model.name",
  "model.api",
  "model.protocol",
  "model.contextWindow",
  "model.maxOutputTokens",
  "model.reasoning",
  "model.timeoutSeconds",
  "model.maxAnswerMegabytes",
  "agent.maxSteps",
  "context.memory",
  "history.keepRounds",
  "summary.model",
  "model.small",
  "permissions.ask",
  "permissions.deny",
  "edits.save",
  "edits.review",
  "review.marks",
  "diagnostics.waitMs",
  "bash.timeoutSeconds",
  "bash.dirtyFiles",
  "mcp.maxToolTokens",
  "mcp.timeoutSeconds",
  "mentions.inComments",
];

/** What a workspace says of models: names alone, since whom the conversation goes to is the person's to say. */
const modelNames: readonly string[] = ["model.name", "summary.model", "model.small"];

export const mayWorkspaceSet = (name: string, value: unknown): boolean =>
  (workspaceSettings as readonly string[]).includes(name) &&
  !(modelNames.includes(name) && typeof value === "string" && readModelName(value) !== undefined);
