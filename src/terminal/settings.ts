/**
 * Settings outside the editor (docs/settings.md). Later wins: the user's settings.json, the workspace's
 * .vscode/settings.json (only where it is trusted), environment, flags, the administrator's file.
 */

import { readFileSync, statSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import type { SettingsLayer, SettingsSource } from "../core/ground/ports";
import { parseSettingsFile } from "../core/ground/text/json";
import { complaintsOf, type ManagedFile, managedLayer, mergeLayers } from "../core/permissions/levels";
import { replaceFile } from "../node/disk";
import { unlessMissing } from "../node/errno";
import { nodeFileSystem } from "../node/fileSystem";
import { errorMessage } from "../shared/errorMessage";
import { namesText } from "../shared/format";
import { isObject } from "../shared/isObject";
import { issueWords } from "../shared/issueWords";
import { t } from "../shared/l10n";
import { mayWorkspaceSet, type SettingName, type Settings, settingNames, settingsSchema } from "../shared/settings";
import { settingsIn } from "../shared/settingsIn";

interface SettingsInput {
  configDir: string;
  /** undefined: not trusted, its settings are not read */
  trustedWorkspace?: string;
  env: Readonly<Record<string, string | undefined>>;
  flags: Partial<Settings>;
  /** of the machine's administrator; absent: there is none */
  managed?: ManagedFile | undefined;
  /** Told, in a sentence each, what a workspace's file set and must not, and what cannot be used. */
  warn(text: string): void;
}

/** A setting that cannot be used; the message names the place. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws SettingsError */
export function loadSettings(input: SettingsInput): TerminalSettings {
  const { configDir, trustedWorkspace, env, flags, managed, warn } = input;
  const own = join(configDir, "settings.json");
  const workspace = trustedWorkspace && join(trustedWorkspace, ".vscode", "settings.json");
  const user = readSettingsFile(own, warn);
  const theirs = workspace ? readSettingsFile(workspace, warn) : undefined;
  const layers: SettingsLayer[] = [
    { level: "user", place: own, values: checked(user.values, own) },
    ...(workspace && theirs
      ? [{ level: "workspace" as const, place: workspace, values: allowedOf(theirs.values, workspace, own, warn) }]
      : []),
    { level: "user", place: t("the environment"), values: checked(fromEnvironment(env), t("the environment")) },
    { level: "session", place: t("the command line"), values: checked(flags, t("the command line")) },
    ...(managed ? [managedLayer(managed)] : []),
  ];
  for (const complaint of complaintsOf(layers)) warn(complaint);
  return new TerminalSettings(layers, theirs?.encoding ?? user.encoding);
}

/** As they were when the program began, and what the person allows from then on. */
export class TerminalSettings implements SettingsSource {
  private merged: Settings;
  private readonly all: SettingsLayer[];

  /** @param filesEncoding the editor's setting `files.encoding`, from the same files; undefined: none says it */
  constructor(
    layers: readonly SettingsLayer[],
    readonly filesEncoding?: string,
  ) {
    this.all = [...layers];
    this.merged = mergeLayers(layers);
  }

  get(): Settings {
    return this.merged;
  }

  layers(): readonly SettingsLayer[] {
    return this.all;
  }

  /** For this run. */
  add(rules: readonly string[]): void {
    const place = t("this run's answers");
    this.all.unshift({ level: "user", place, values: { "permissions.allow": [...rules] } });
    this.merged = mergeLayers(this.all);
  }
}

/** @throws SettingsError */
function checked(values: Record<string, unknown>, place: string): Partial<Settings> {
  for (const [name, value] of Object.entries(values)) {
    const parsed = settingsSchema.shape[name as SettingName].safeParse(value, { error: issueWords });
    if (parsed.success) continue;
    throw new SettingsError(
      t("The setting strata.{0} in {1} cannot be used: {2}.", name, place, parsed.error.issues[0]?.message ?? ""),
    );
  }
  return values;
}

/** `encoding`: the editor's setting `files.encoding` */
function readSettingsFile(path: string, warn: (text: string) => void) {
  const parsed = parseSettingsFile(readIfThere(path));
  if (parsed.problem !== undefined) throw new SettingsError(t("{0} is not valid JSON: {1}.", path, parsed.problem));
  if (!isObject(parsed.value)) return { values: {} };
  const { values, unknown } = settingsIn(parsed.value, path);
  for (const complaint of unknown) warn(complaint);
  const encoding = parsed.value["files.encoding"];
  return { values, ...(typeof encoding === "string" && encoding !== "" && { encoding }) };
}

const MAX_BYTES = 1024 * 1024;

/** Trust lets a repository's rules and habits in; it does not let it say where the key goes or what runs without asking. */
function allowedOf(values: Record<string, unknown>, path: string, own: string, warn: (text: string) => void) {
  const entries = Object.entries(values);
  const allowed = entries.filter(([name, value]) => mayWorkspaceSet(name, value));
  const ignored = entries.filter(entry => !allowed.includes(entry)).map(([name]) => `strata.${name}`);
  if (ignored.length > 0)
    warn(t("Ignored in {0}: {1}. A workspace must not set this; your own {2} can.", path, namesText(ignored), own));
  return checked(Object.fromEntries(allowed), path);
}

function readIfThere(path: string): string {
  try {
    // A repository's may be a pipe, which would keep us waiting for ever, or a link to a device without an end.
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES)
      throw new SettingsError(t("{0} could not be read: it is no regular file of at most 1 MB.", path));
    return readFileSync(path, "utf8").trim() || "{}";
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "{}";
    throw new SettingsError(t("{0} could not be read: {1}", path, errorMessage(error)));
  }
}

/** `model.baseUrl` → `STRATA_MODEL_BASE_URL` */
export function environmentVariable(name: SettingName): string {
  return `STRATA_${name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(".", "_")
    .toUpperCase()}`;
}

function fromEnvironment(env: SettingsInput["env"]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (env.OPENAI_BASE_URL) values["model.baseUrl"] = env.OPENAI_BASE_URL;
  for (const name of settingNames) {
    const text = env[environmentVariable(name)];
    if (text !== undefined && text !== "") values[name] = typed(name, text);
  }
  return values;
}

/** Variables are text; the schema wants numbers and booleans. */
function typed(name: SettingName, text: string): unknown {
  const sample = settingsSchema.parse({})[name];
  if (typeof sample === "number") return Number(text);
  if (Array.isArray(sample) && !text.startsWith("[")) return text.split(",").map(part => part.trim());
  if (typeof sample === "boolean") return text === "true" || text === "1";
  if (typeof sample !== "object") return text;
  const parsed = parseSettingsFile(text);
  // The schema says that text is no object.
  return parsed.problem === undefined ? parsed.value : text;
}

// Writing "always" into the person's settings.json, whose comments and order stay.

const ALLOWED = "strata.permissions.allow";

/** Adds the rules that are not there yet. Rejects where the file cannot be read or written, or is not JSON. */
export async function addAllowRules(configDir: string, rules: readonly string[]): Promise<void> {
  await mkdir(configDir, { recursive: true });
  const named = join(configDir, "settings.json");
  // People link this file to where they keep all of theirs: the link stays.
  const path = await unlessMissing(realpath(named), named);
  const text = (await unlessMissing(readFile(path, "utf8"), "")) || "{}";
  const parsed = parseSettingsFile(text);
  if (parsed.problem !== undefined || !isObject(parsed.value))
    throw new Error(t("{0} is not valid JSON: {1}", path, parsed.problem ?? t("it is no object")));
  const before = parsed.value[ALLOWED];
  const allowed = [...new Set([...(Array.isArray(before) ? before : []), ...rules])];
  const edits = modify(text, [ALLOWED], allowed, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  await replaceFile(nodeFileSystem, path, applyEdits(text, edits));
}
