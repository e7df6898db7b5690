/**
 * Every setting, once: name, default, meaning, what each value of several does (`values`). The manifest's `contributes.configuration` is generated from this schema
 * (scripts/manifest.mjs), the terminal parses files, environment and flags with it (docs/settings.md).
 * The name is the path: `model.baseUrl` is the setting `strata.model.baseUrl` and the variable `STRATA_MODEL_BASE_URL`.
 */
import * as z from "zod";
import { defined } from "./defined";
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

const flag = (first: boolean, description: string) => z.boolean().default(first).describe(description);
const text = (first: string, description: string) => z.string().default(first).describe(description);
const whole = (first: number, { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }, words: string) =>
  z.int().min(min).max(max).default(first).describe(words);
/** @param values what each of them does */
const choice = <const T extends readonly string[]>(
  all: T,
  first: z.util.NoUndefined<T[number]>,
  description: string,
  values?: Partial<Record<T[number], string>>,
) =>
  z
    .enum(all)
    .default(first)
    .meta({ description, ...defined({ values }) });
const list = (entry: z.ZodString, description: string, first: string[] = []) =>
  z.array(entry).max(200).default(first).describe(description);
const rules = z.array(z.string().max(10_000)).max(2_000).default([]);
const shortText = z.string().trim().min(1).max(2_000);
const held = z.array(shortText).min(1).max(2_000).optional();
/** A sentence of a rules file, and what holds it: rules that deny or ask, or commands that must have run. */
export const bindingSchema = z
  .object({ file: shortText, sentence: shortText, deny: held, ask: held, check: held })
  .refine(({ deny, ask, check }) => deny ?? ask ?? check);
const names = (most: number) => z.array(z.string().trim().min(1).max(300)).max(most).default([]);
const dollars = z.number().min(0).max(100_000).default(0);

/** a host, those below one, or one at a port */
const HOST =
  /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

export const settingsSchema = z.object({
  // The section "Common" of VS Code's page (scripts/manifest.mjs).
  "model.name": text(
    "",
    `Set the model to use, by its name on its server. Put a provider in front to use that one, as in \`${namedProviders[0]}:claude-…\`, \`vscode:copilot/…\` or \`ollama:…\`. When empty, Strata takes a model of a provider whose key or address is set, else VS Code's first, else one of a server on this machine (${localTitles.join(", ")}). [Choose Model](command:strata.chooseModel)`,
  ),
  "permissions.mode": choice(permissionModes, "ask", "Set what new conversations may do without asking."),
  "bash.sandbox": choice(
    sandboxModes,
    "auto",
    "Choose which commands run in a sandbox. There they read the workspace, the system and what tools need of your home folder (`strata.bash.read` adds to it), but no secrets (`.env` and the like). They write in the workspace and in a temporary folder of their own, and reach no network. On Linux this needs bubblewrap; on Windows there is no sandbox.",
    {
      auto: "Sandbox commands that run without asking. Commands that you or your rules allow run as you would run them.",
      off: "Run no command in the sandbox.",
      required: "Run every command in the sandbox, and none where the sandbox does not work.",
    },
  ),
  "agent.maxCostPerTurn": dollars.describe(
    "Stop a turn when it has cost this many US dollars, and ask whether to continue. Continuing gives as much again. The price of the model has to be known, or be in `strata.model.prices`. 0 means no limit.",
  ),
  "agent.maxCostPerDay": dollars.describe(
    "Stop when all sessions of a day, in every window and terminal, have cost this many US dollars, and ask whether to continue. Continuing gives that session as much again. 0 means no limit.",
  ),
  notifications: choice(
    notificationsValues,
    "whenHidden",
    "Choose when VS Code notifies you that the agent needs an answer or that its turn failed. The badge on Strata's icon and the status bar always show it.",
    {
      never: "Show it only by the badge on the icon and in the status bar.",
      whenHidden: "Notify while the panel is hidden or shows another session.",
      always: "Notify always, even while the question is in sight.",
    },
  ),
  "model.provider": choice(modelProviders, "auto", "Choose the provider to use.", {
    auto: `Take the provider that the model's name (${namedProviders.flatMap(name => ownProviders[name].named ?? []).join(", ")}) or the address belongs to. Without a name, take VS Code's first model.`,
    server: `Use the server at the base URL through ${COMMON_API}, unless the address belongs to another provider.`,
    ...Object.fromEntries(
      namedProviders.map(name => [
        name,
        `Use ${ownProviders[name].title}'s own API, at its own address unless the base URL is set to another one.`,
      ]),
    ),
    vscode: "Use a model that VS Code provides, such as Copilot's. No key is needed.",
  }),
  "model.baseUrl": text(
    ownProviders[COMMON].address,
    `Set the base URL of the model's server, including the version, such as \`${ownProviders[COMMON].address}\` or \`${localServers.ollama.address}\`. While it is ${ownProviders[COMMON].title}'s, other providers use their own addresses.`,
  ),
  "model.favorites": names(100).describe(
    "List these models first in *Choose Model*, each with its provider in front. The star in that list adds them here.",
  ),
  "model.fallback": names(3).describe(
    "Let these models take over, in this order, for the rest of a turn whose model is overloaded, out of credit or out of reach, breaks its answers off or refuses the request. Give names as in `strata.model.name`, at most three. The conversation then goes to their providers. The next turn begins with `strata.model.name` again.",
  ),
  "model.api": choice(
    ["auto", "responses", "chat"],
    "auto",
    `Choose which of ${ownProviders[COMMON].title}'s two APIs the server supports.`,
    {
      auto: `Use Responses at ${new URL(ownProviders[COMMON].address).hostname}, and Chat Completions elsewhere.`,
      responses: "Use Responses.",
      chat: "Use Chat Completions.",
    },
  ),
  "model.protocol": choice(["auto", "tools", "react"], "auto", "Choose how the model calls tools.", {
    auto: "Use the provider's tool calling, and text where the server refuses tools, until Strata restarts.",
    tools: "Use the provider's tool calling.",
    react: "Let the model write its calls as text, for models without tool calling.",
  }),
  "model.contextWindow": z
    .int()
    .min(0)
    .refine(tokens => tokens === 0 || tokens >= 4000, {
      error: () => t("a window has at least 4000 tokens; 0 takes what is known"),
    })
    .default(0)
    .describe(
      "Set the size of the model's context window in tokens, at least 4,000. 0 takes what is known of the model, but no more than it reads at its lower price where long requests cost more. A server of your own (vLLM, llama.cpp, LM Studio, Ollama, TGI) is asked what it was started with. Where nothing is known, the size is 200,000.",
    ),
  "model.prices": z
    .record(z.string().min(1).max(200), tokenPricesSchema)
    .default({})
    .describe(
      'Set what models cost where Strata does not know it or you pay something else, in US dollars for a million tokens, by the name of the model, as in `{"my-model": {"input": 1, "cachedInput": 0.1, "cacheWrite": 1.25, "output": 5}}`. Cached input costs as much as other input where its price is left out. A server on this machine or in your own network costs nothing, unless the model is one that only its maker runs (`gpt-…`, `claude-…`).',
    ),
  "model.maxOutputTokens": whole(
    0,
    { min: 0 },
    "Limit how many tokens the model may write in one step. 0 leaves that to the server.",
  ),
  "model.reasoning": choice(
    reasoningValues,
    "default",
    "Set how much the model thinks before it answers, if it supports that.",
  ),
  "model.timeoutSeconds": whole(
    120,
    { min: 5 },
    "Give a request up after this many seconds without data from the model. A local model that loads slowly may need more.",
  ),
  "model.maxAnswerMegabytes": whole(
    10,
    { min: 1, max: 1_000 },
    "Cut an answer off after this many megabytes of text and calls, since a server that never ends would fill the memory. Over the wire, decompressed, it may take ten times as much.",
  ),
  "summary.model": text(
    "",
    "Choose the model that writes the summary of a compaction, by a name as in `strata.model.name`. When empty, the model in use writes it.",
  ),
  "model.small": text(
    "",
    "Choose the model for small things (a session's title, a commit message), by a name as in `strata.model.name`. When empty, the model in use does them.",
  ),
  "agent.maxSteps": whole(200, { min: 1 }, "Stop a turn after this many model calls, and ask whether to continue."),
  "agent.goOn": choice(
    ["once", "off"],
    "once",
    "Choose what happens when the model ends its turn with work that it only announced, with a check or a file that the session does not show, or without a check that you bound.",
    {
      once: "Tell the model once, so that it does what is missing or says why not.",
      off: "End the turn. Its line shows what is missing.",
    },
  ),
  "agents.enabled": choice(
    ["auto", "on", "off"],
    "auto",
    "Choose whether the agent may give tasks to other agents. Each is asked about with its price before it begins.",
    {
      auto: "Offer it where there is a file of an agent, in `.claude/agents` or `.github/agents`, here or in your home folder.",
      on: "Offer it always.",
      off: "Never offer it. Nothing of it is sent.",
    },
  ),
  "agents.atOnce": whole(3, { min: 1, max: 8 }, "Let at most this many other agents work at the same time."),
  "agents.maxTokens": whole(
    200_000,
    { min: 1_000 },
    "Limit how many tokens another agent may take for its task, in and out, with all that it asks for itself.",
  ),
  "agents.maxMinutes": whole(20, { min: 1, max: 600 }, "Limit how many minutes another agent may work on its task."),
  "agents.allowUpTo": dollars.describe(
    "Let tasks for other agents begin without asking up to this many US dollars in a turn, where a rule (`Task`) or the mode Auto allows it. 0 means that the first of a turn is always asked about.",
  ),
  "agents.models": names(20).describe(
    "Let other agents use these models although they are dearer than the conversation's. Give names as in `strata.model.name`.",
  ),
  "context.memory": choice(
    contextMemories,
    "lean",
    "Choose what the model sees of turns that ended. The whole stays in the session's files, and the model can look it up.",
    {
      lean: "Show the last turn with tool output in its short form, and older turns as your message, one line of what was done, and the answer.",
      plain: "Show all turns with tool output in its short form.",
    },
  ),
  "history.keepRounds": z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Keep this many of the newest turns word for word in a compaction, from your message to the final answer, as far as they fit in 70 % of the context window. When empty, a compaction keeps those that fit in half of it, and by hand at most 10.",
    ),
  "sessions.titles": flag(
    true,
    "Let the model for small things name a session after its first turn, from the beginnings of your message and the answer (a few hundred tokens). When off, its first words name it.",
  ),
  "recall.sessions": flag(
    true,
    "Let the agent search what was said in earlier sessions of this workspace, with its tool Recall. Nothing of them is sent unless it asks.",
  ),
  "storage.maxBytes": whole(
    2_000_000_000,
    { min: 0 },
    "Offer to remove the oldest sessions when all of them take more than this many bytes on disk. Nothing is removed without asking you. 0 means no limit.",
  ),
  "permissions.allow": rules.describe(
    "Run what these rules name without asking, such as `Bash(npm test *)`, `Edit(docs/**)` or `server:tool`. A rule for a command holds for each program in it.",
  ),
  "permissions.ask": rules.describe(
    "Always ask before what these rules name. They take precedence over what is allowed.",
  ),
  "permissions.deny": rules.describe("Never run what these rules name. They take precedence over all other rules."),
  // Entries are read one by one (core/permissions/bindings.ts): a broken one asks, and the others hold.
  "permissions.bindings": z
    .array(z.unknown().meta({ type: "object" }))
    .max(2_000)
    .default([])
    .describe(
      'Hold sentences of rules files (`AGENTS.md` and the like), as in `{"file": "AGENTS.md", "sentence": "Never push to main.", "deny": ["Bash(git push * main *)"]}`. Each has rules under `deny` or `ask`, or under `check` commands that must have passed after the last edit of a turn. [Tools and Rules](command:strata.showTools) proposes them and writes them here.',
    ),
  "permissions.untrustedContent": choice(
    ["ask", "ignore"],
    "ask",
    "Choose what happens after the agent read untrusted text (from outside the workspace, from the web, from a server's tool). Rules and what you allowed for the session hold either way.",
    {
      ask: "Ask before changes until your next message, in every mode.",
      ignore: "Ask no more than before.",
    },
  ),
  "permissions.runEverything": flag(
    false,
    "Run every command without asking in the mode Auto, whatever it does to this machine. **Dangerous**, since a text that the model reads can make it run anything. Only rules that deny or ask still hold, and protected files still ask.",
  ),
  "edits.save": flag(true, "Save files after the agent edits them. When off, edits stay unsaved in the editor."),
  "edits.review": choice(["editor", "panel"], "editor", "Choose where you review an edit that needs your approval.", {
    editor: "Open the diff editor automatically. Change the proposal there, then allow it.",
    panel: "Show the change in the panel, and the diff editor when you ask for it.",
  }),
  "review.marks": flag(
    true,
    "Mark the agent's changes in the editor until you keep or undo them. The agent does not wait for this.",
  ),
  "diagnostics.waitMs": whole(
    2_000,
    { min: 0, max: 60_000 },
    "Wait at most this many milliseconds after an edit for the language's checker, so that the agent learns of new problems. With 0, edits do not wait and report no problems.",
  ),
  "mentions.inComments": flag(
    true,
    "Complete and link mentions of files (`@src/a.ts`) in comments of code, and offer *Ask About This Comment* in the context menu. When off, mentions work in Markdown, plain text, commit messages and prompts only.",
  ),
  "bash.timeoutSeconds": whole(
    120,
    { min: 1, max: 600 },
    "Stop a command after this many seconds when the agent names no other limit.",
  ),
  "bash.dirtyFiles": choice(
    dirtyFilesValues,
    "ask",
    "Choose what happens to unsaved changes when a command is about to run, which sees only what is on disk. The model is told.",
    {
      ask: "Ask before the command runs, with the files' names.",
      save: "Save them before the command runs. Formatters on save run too.",
      leave: "Leave them unsaved. The command sees what is on disk.",
    },
  ),
  "bash.network": list(
    z
      .string()
      .regex(HOST, { error: () => t("a host is written as `example.com`, `*.example.com` or `example.com:8443`") })
      .meta({ patternErrorMessage: "Write a host as example.com, *.example.com or example.com:8443." }),
    "Let commands in the sandbox reach these hosts, through a proxy, such as `registry.npmjs.org`, `*.example.com` or `example.com:8443`. **What a command reads it can send there.** Programs that know no proxy reach nothing.",
  ),
  "bash.read": list(
    z
      .string()
      .max(1_000)
      .regex(/^(?:~$|~\/|\/)/, { error: () => t("a place is written as `~/tools` or `/srv/data`") })
      .meta({ patternErrorMessage: "Write a place as ~/tools or /srv/data." }),
    "Let commands in the sandbox read these files and folders too, such as `~/tools` or `/mnt/data`. Of home folders and mounted disks the sandbox shows what tools need, which is toolchains, caches, and settings of packages without their tokens. What is named here is shown whole.",
  ),
  "bash.env": list(
    z.string().min(1).max(200),
    "Choose which variables of the environment commands get, by name or with `*`. With `!` in front they do not get them. Later entries win, as in `*`, `!AWS_*`. `PATH`, `HOME` and the like they always get, Strata's own keys never. In the sandbox `*` is what tools need, and none that looks like a secret. Name what a command misses there without `*`, as in `*`, `DATABASE_URL`.",
    ["*"],
  ),
  "mcp.maxToolTokens": whole(
    3_000,
    { min: 0 },
    "Limit how many tokens of each request the definitions of MCP servers' tools may take. Where all together take more, the model finds the tools it needs by words. With 0, it always does.",
  ),
  "mcp.timeoutSeconds": whole(
    120,
    { min: 1, max: 3_600 },
    "Give a call of an MCP server's tool up after this many seconds without an answer or a sign of progress.",
  ),
  "mcp.off": names(1_000).describe(
    "Switch these MCP servers and tools off, by name, as in `server`, `server:tool` or `server:delete_*`. [Tools and Rules](command:strata.showTools) writes them here.",
  ),
  "log.messages": flag(
    true,
    "Write a digest of every model request and its answer (sizes, times, tokens, no content) to the daily log.",
  ),
  "log.payload": flag(
    false,
    "Write the full content of model requests and answers to the daily log, with secrets hidden. Use this for troubleshooting only.",
  ),
  "telemetry.otlpEndpoint": z
    .string()
    .max(2_000)
    .default("")
    .meta({
      description:
        "Send turns, model requests and tool calls as spans to an OpenTelemetry collector of your own at this address, such as `http://localhost:4318`, by OTLP over HTTP as JSON. Headers that it asks for come from the variable `OTEL_EXPORTER_OTLP_HEADERS`. When empty, nothing is sent to anybody.",
      tags: ["telemetry", "usesOnlineServices"],
    }),
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
export const machineSettings =
  "model.baseUrl storage.maxBytes bash.sandbox bash.network bash.read bash.env log.messages log.payload telemetry.otlpEndpoint".split(
    " ",
  ) as SettingName[];

/**
 * Settings that a workspace may set. A repository must not decide where the key is sent, what runs without asking or what is
 * logged. The manifest's scopes are generated from this, and the terminal reads workspace files with it.
 */
export const workspaceSettings =
  "model.name model.api model.protocol model.contextWindow model.maxOutputTokens model.reasoning model.timeoutSeconds model.maxAnswerMegabytes agent.maxSteps context.memory history.keepRounds summary.model model.small permissions.ask permissions.deny permissions.bindings edits.save edits.review review.marks diagnostics.waitMs bash.timeoutSeconds bash.dirtyFiles mcp.maxToolTokens mcp.timeoutSeconds mentions.inComments".split(
    " ",
  ) as SettingName[];

/** What a workspace says of models: names alone, since whom the conversation goes to is the person's to say. */
const modelNames: readonly string[] = ["model.name", "summary.model", "model.small"];

export const mayWorkspaceSet = (name: string, value: unknown): boolean =>
  (workspaceSettings as readonly string[]).includes(name) &&
  !(modelNames.includes(name) && typeof value === "string" && readModelName(value) !== undefined);
