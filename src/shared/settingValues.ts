/** The values that settings choose from, and what each of them means in the words that people read. Without zod: the command line is parsed by it. */
import { t } from "./l10n";
import { type LocalServer, localServers, namedProviders, ownProviderNames } from "./modelProviders";

export const permissionModes = ["plan", "ask", "edits", "auto"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What becomes of turns that ended: values of `context.memory` (core/context/ages.ts). */
export const contextMemories = ["lean", "plain"] as const;
export type ContextMemory = (typeof contextMemories)[number];

/** Whose interface a model is asked by: values of `model.provider`. */
export const modelProviders = ["auto", "server", ...namedProviders, "vscode"] as const;

/** The mode after this one, round and round, without those that are not allowed; the same where none is. */
export function modeAfter(mode: PermissionMode, isAllowed: (mode: PermissionMode) => boolean): PermissionMode {
  const at = permissionModes.indexOf(mode);
  return [...permissionModes.slice(at + 1), ...permissionModes.slice(0, at)].find(isAllowed) ?? mode;
}

/** A value as people know it: its name, and what it does. */
interface ChoiceWords {
  name: string;
  meaning: string;
}

/** What the agent does in a mode without asking. */
export function modeWords(mode: PermissionMode): ChoiceWords {
  const words: Record<PermissionMode, ChoiceWords> = {
    plan: { name: t("Plan only"), meaning: t("Reads and searches. Changes nothing and runs no commands.") },
    ask: { name: t("Ask first"), meaning: t("Reads without asking. Asks before every edit and every command.") },
    edits: {
      name: t("Edits allowed"),
      meaning: t("Edits files in the workspace without asking. Asks before commands, unless they only read."),
    },
    // Where there is no sandbox, commands that surely only read run, and all others ask.
    auto: {
      name: t("Auto"),
      meaning: t(
        "Edits files and runs sandboxed commands without asking. Asks before anything outside the sandbox, and for protected files.",
      ),
    },
  };
  return words[mode];
}

export const dirtyFilesValues = ["ask", "save", "leave"] as const;
export type DirtyFiles = (typeof dirtyFilesValues)[number];

export const sandboxModes = ["auto", "off", "required"] as const;
export type SandboxMode = (typeof sandboxModes)[number];

export const notificationsValues = ["never", "whenHidden", "always"] as const;
export type Notifications = (typeof notificationsValues)[number];

/** Who has models, in front of a model's name: `anthropic:claude-…`. `server`: the one at `model.baseUrl`. */
const modelSources = [
  ...ownProviderNames,
  ...(["vscode", "server"] as const),
  ...(Object.keys(localServers) as LocalServer[]),
] as const;
export type ModelSource = (typeof modelSources)[number];

/** `anthropic:claude-…` → both parts; undefined: a name alone, of the provider that is set. */
export function readModelName(written: string): { source: ModelSource; name: string } | undefined {
  const [, prefix, name] = /^([a-z]+):(.+)$/.exec(written.trim()) ?? [];
  const source = modelSources.find(each => each === prefix);
  return source && name ? { source, name: name.trim() } : undefined;
}

export const reasoningValues = ["default", "none", "minimal", "low", "medium", "high"] as const;
export type Reasoning = (typeof reasoningValues)[number];

/** How much a model thinks, in the words that people read. */
export function effortWords(effort: Reasoning): ChoiceWords {
  const words: Record<Reasoning, ChoiceWords> = {
    default: { name: t("As the provider has it"), meaning: t("The provider decides how much the model thinks.") },
    none: { name: t("None"), meaning: t("No thinking, if the model supports that.") },
    minimal: { name: t("Minimal"), meaning: t("As little thinking as possible.") },
    low: { name: t("Low"), meaning: t("For small changes and questions.") },
    medium: { name: t("Medium"), meaning: t("For most tasks.") },
    high: { name: t("High"), meaning: t("Slower and more expensive, for hard problems.") },
  };
  return words[effort];
}
