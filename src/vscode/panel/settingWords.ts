/** Names of settings in words, and on which page each stands. */
import { t } from "../../shared/l10n";
import { namedProviders, ownProviders } from "../../shared/modelProviders";
import type { SettingName } from "../../shared/settings";
import type { SettingsPageName } from "../../shared/settingsProtocol";
import { effortWords, modeWords, permissionModes, reasoningValues } from "../../shared/settingValues";

export const settingTitles: Readonly<Record<SettingName, () => string>> = {
  "model.provider": () => t("Provider"),
  "model.baseUrl": () => t("Server address"),
  "model.name": () => t("Model"),
  "model.favorites": () => t("Favorite models"),
  "model.fallback": () => t("Models that take over"),
  "model.api": () => t("Server's API"),
  "model.protocol": () => t("How tools are called"),
  "model.contextWindow": () => t("Context window"),
  "model.prices": () => t("Prices"),
  "model.maxOutputTokens": () => t("Longest answer"),
  "model.reasoning": () => t("Reasoning"),
  "model.timeoutSeconds": () => t("Wait for the model"),
  "model.maxAnswerMegabytes": () => t("Largest answer"),
  "model.small": () => t("Model for small things"),
  "agent.maxSteps": () => t("Steps in a turn"),
  "agent.maxCostPerTurn": () => t("Cost limit of a turn"),
  "agent.maxCostPerDay": () => t("Cost limit of a day"),
  "context.memory": () => t("What the model sees of earlier turns"),
  "history.keepRounds": () => t("Turns kept word for word"),
  "summary.model": () => t("Model for summaries"),
  "sessions.titles": () => t("Titles by the model"),
  "recall.sessions": () => t("Search earlier sessions"),
  "storage.maxBytes": () => t("Storage limit"),
  "permissions.mode": () => t("Mode of new sessions"),
  "permissions.allow": () => t("Runs without asking"),
  "permissions.ask": () => t("Always asks"),
  "permissions.deny": () => t("Never runs"),
  "permissions.untrustedContent": () => t("After untrusted text"),
  "permissions.runEverything": () => t("Run everything in Auto"),
  "edits.save": () => t("Save edits"),
  "edits.review": () => t("Where edits are reviewed"),
  "review.marks": () => t("Mark changes in the editor"),
  "diagnostics.waitMs": () => t("Wait for problems after an edit"),
  "bash.timeoutSeconds": () => t("Time limit of commands"),
  "bash.dirtyFiles": () => t("Unsaved files before a command"),
  "bash.sandbox": () => t("Sandbox"),
  "bash.network": () => t("Hosts that the sandbox reaches"),
  "bash.read": () => t("Folders that the sandbox reads"),
  "bash.env": () => t("Environment of commands"),
  "mcp.maxToolTokens": () => t("Tokens for tools of servers"),
  "mcp.timeoutSeconds": () => t("Time limit of servers' tools"),
  "mcp.off": () => t("Servers and tools that are off"),
  "mentions.inComments": () => t("Mentions in comments"),
  notifications: () => t("Notifications"),
  "log.messages": () => t("Log requests"),
  "log.payload": () => t("Log full texts"),
  "telemetry.otlpEndpoint": () => t("Your telemetry collector"),
  "telemetry.captureContent": () => t("Texts in telemetry"),
};

const groups: Readonly<Record<string, SettingsPageName>> = {
  ...{ model: "model", agent: "model", context: "model", history: "model", summary: "model" },
  ...{ permissions: "permissions", bash: "permissions", edits: "permissions", review: "permissions" },
  ...{ mcp: "tools", diagnostics: "tools", mentions: "skills" },
};

export const pageOfSetting = (name: SettingName): SettingsPageName => groups[name.split(".")[0] ?? ""] ?? "storage";

/** Names of the values that a setting chooses from; a value without one is its own name. */
export function choiceLabels(name: SettingName): Readonly<Record<string, string>> {
  return labels[name]?.() ?? {};
}

const labels: Readonly<Partial<Record<SettingName, () => Record<string, string>>>> = {
  "model.provider": () => ({
    ...{ auto: t("Automatic"), server: t("The server at the address"), vscode: "VS Code" },
    ...Object.fromEntries(namedProviders.map(name => [name, ownProviders[name].title])),
  }),
  "model.api": () => ({ auto: t("Automatic"), responses: "Responses", chat: "Chat Completions" }),
  "model.protocol": () => ({ auto: t("Automatic"), tools: t("By the model's API"), react: t("As text") }),
  "model.reasoning": () => Object.fromEntries(reasoningValues.map(effort => [effort, effortWords(effort).name])),
  "permissions.mode": () => Object.fromEntries(permissionModes.map(mode => [mode, modeWords(mode).name])),
  "permissions.untrustedContent": () => ({ ask: t("Changes ask"), ignore: t("As before") }),
  "context.memory": () => ({ lean: t("Brief"), plain: t("Outputs shortened") }),
  "edits.review": () => ({ editor: t("In the editor"), panel: t("In the panel") }),
  "bash.dirtyFiles": () => ({ ask: t("Ask"), save: t("Save them"), leave: t("Leave them unsaved") }),
  "bash.sandbox": () => ({ auto: t("Automatic"), off: t("Off"), required: t("Required") }),
  notifications: () => ({ never: t("Never"), whenHidden: t("When the panel is hidden"), always: t("Always") }),
};
