/**
 * Settings of several levels: the administrator's scalars win over everybody's, then the command line's, the workspace's and the
 * person's; rules of all add up, and a workspace loosens nothing.
 */

import { inARow } from "../../shared/format";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { mayWorkspaceSet, type SettingName, type Settings, settingsSchema } from "../../shared/settings";
import { modeWords, type PermissionMode, permissionModes } from "../../shared/settingValues";
import type { FileRef, SettingsLayer, SettingsSource } from "../ground/ports";
import { parseSettingsFile } from "../ground/text/json";
import { boundRules } from "./bindings";
import { parseRules, type Rule, readingRule } from "./rules";

/** The administrator's file: as it was read, or why it could not be. */
export type ManagedFile = { place: string } & ({ text: string } | { problem: string });

/** @param layers the weakest first */
export function mergeLayers(layers: readonly SettingsLayer[]): Settings {
  const merged: Record<string, unknown> = {};
  for (const { level, values } of layers) {
    for (const [name, value] of Object.entries(values)) {
      if (level === "workspace" && !mayWorkspaceSet(name, value)) continue;
      const before = merged[name];
      // Rules of all levels add up; the administrator's list of hosts replaces the others.
      const addsUp = level !== "managed" || name.startsWith("permissions.");
      merged[name] = addsUp && Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return settingsSchema.parse(merged);
}

/** The administrator's file as a layer. What cannot be read of it counts as stricter, and is in `problem`. */
export function managedLayer(file: ManagedFile): SettingsLayer {
  const layer = { level: "managed" as const, place: file.place };
  if ("problem" in file) return { ...layer, values: {}, problem: file.problem };
  const parsed = parseSettingsFile(file.text);
  if (parsed.problem !== undefined || !isObject(parsed.value))
    return { ...layer, values: {}, problem: parsed.problem ?? t("it is no object") };
  const content = parsed.value;
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(content)) {
    if (!key.startsWith("strata.")) continue;
    const name = key.slice("strata.".length);
    const schema = Object.hasOwn(settingsSchema.shape, name) ? settingsSchema.shape[name as SettingName] : undefined;
    const checked = schema?.safeParse(value);
    if (checked?.success) values[name] = checked.data;
    else
      problems.push(
        checked ? t("{0} has a value that cannot be used", key) : t("{0} is no setting of this version", key),
      );
  }
  return { ...layer, values, ...(problems.length > 0 && { problem: inARow(problems) }) };
}

/** Every rule with its level and place, the administrator's first. */
export function rulesInForce(settings: SettingsSource): Rule[] {
  const layers = settings.layers?.();
  if (!layers) return rulesOf(settings.get());
  // The administrator's first: it is named where another says the same.
  return layers.toReversed().flatMap(({ level, place, values, problem }) => {
    const broken = problem === undefined ? [] : [brokenFile(problem)];
    // A workspace never loosens.
    const rules = rulesOf(level === "workspace" ? { ...values, "permissions.allow": [] } : values);
    return [...broken, ...rules].map(rule => ({ ...rule, level, place }));
  });
}

/** For `Rules`: why a rule keeps a file from being read unasked, a sentence. @param isImport one that asks does so too */
export function ruledOut(settings: SettingsSource) {
  return (file: FileRef, isImport: boolean): string | undefined => {
    const rules = rulesInForce(settings);
    const rule = readingRule("deny", file, rules) ?? (isImport ? readingRule("ask", file, rules) : undefined);
    return rule && t("The rule `{0}`, under {1}, keeps it from being read unasked.", rule.text, rule.kind);
  };
}

/** Replaces the rules of an unreadable file: every tool asks. */
const brokenFile = (problem: string): Rule => ({
  kind: "deny",
  text: "*",
  tool: "*",
  pattern: undefined,
  problem,
  isWholeFile: true,
});

const rulesOf = ({
  "permissions.allow": allow = [],
  "permissions.ask": ask = [],
  "permissions.deny": deny = [],
  "permissions.bindings": bindings = [],
}: Partial<Settings>): Rule[] => [...boundRules(bindings), ...parseRules({ allow, ask, deny })];

/** What the person is told once: files and rules that cannot be used, and what becomes of them. */
export function complaintsOf(layers: readonly SettingsLayer[]): string[] {
  const files = layers.flatMap(({ level, place, problem }) => {
    if (problem === undefined) return [];
    return level === "managed"
      ? [t("The administrator's settings, {0}, cannot be used ({1}), so that nothing runs unasked.", place, problem)]
      : [t("What {0} says of permissions cannot be used ({1}), so that nothing runs unasked.", place, problem)];
  });
  const rules = rulesInForce({ get: () => mergeLayers(layers), layers: () => layers }).flatMap(
    ({ kind, text, place, problem, tool, isWholeFile, bound }) => {
      if (problem === undefined || isWholeFile) return [];
      const about = [text, bound ? "bindings" : kind, place ?? "", problem] as const;
      if (kind === "allow")
        return [t("The rule `{0}`, under {1} in {2}, cannot be read ({3}), so it is left out.", ...about)];
      const who = tool === "*" ? t("every tool") : tool;
      return [t("The rule `{0}`, under {1} in {2}, cannot be read ({3}), so {4} asks.", ...about, who)];
    },
  );
  return [...files, ...rules];
}

/** The loosest mode that the administrator lets anybody choose; undefined: any. */
function modeLimit(settings: SettingsSource): { mode: PermissionMode; place: string } | undefined {
  const managed = settings.layers?.().find(({ level, values }) => level === "managed" && values["permissions.mode"]);
  const mode = managed?.values["permissions.mode"];
  return managed && mode && { mode, place: managed.place };
}

const looseness = (mode: PermissionMode) => permissionModes.indexOf(mode);

/** The session's mode: what was chosen for it, within the administrator's limit. */
export function modeInForce(chosen: PermissionMode | undefined, settings: SettingsSource) {
  const limit = modeLimit(settings);
  if (chosen === undefined) return settings.get()["permissions.mode"];
  return limit && looseness(chosen) > looseness(limit.mode) ? limit.mode : chosen;
}

/** Why a mode cannot be chosen; undefined: it can. */
export function whyNotMode(mode: PermissionMode, settings: SettingsSource): string | undefined {
  const limit = modeLimit(settings);
  if (!limit || looseness(mode) <= looseness(limit.mode)) return undefined;
  return t(
    'The administrator of this machine allows no more than the mode "{0}" ({1}).',
    modeWords(limit.mode).name,
    limit.place,
  );
}
