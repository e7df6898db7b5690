/** The permissions in force and their origin, for people: mode, rules, protected files, sandbox. */
import { t } from "../../shared/l10n";
import type { SettingName } from "../../shared/settings";
import { modeWords, type PermissionMode } from "../../shared/settingValues";
import type { SettingLevel, SettingsSource } from "../ground/ports";
import type { Report, ReportLine } from "../ground/text/report";
import { rulesInForce } from "./levels";
import type { Rule } from "./rules";

interface OverviewState {
  mode: PermissionMode;
  trusted: boolean;
  settings: SettingsSource;
  /** what confines commands, in words */
  sandbox: string;
}

export function permissionsReport(state: OverviewState): Report {
  const rules = rulesInForce(state.settings);
  const sectionOf = (kind: Rule["kind"], title: string) => ({
    title,
    lines: rules.filter(rule => rule.kind === kind && !rule.isWholeFile).map(ruleLine),
  });
  const sections = [
    { title: t("In force"), lines: inForce(state, rules) },
    sectionOf("deny", t("Never runs (deny)")),
    sectionOf("ask", t("Always asks (ask)")),
    sectionOf("allow", t("Runs without asking (allow)")),
  ];
  return { title: t("Permissions"), sections: sections.filter(({ lines }) => lines.length > 0) };
}

function inForce({ mode, trusted, settings, sandbox }: OverviewState, rules: readonly Rule[]) {
  const { name, meaning } = modeWords(mode);
  const set = settings.get();
  const broken = rules.filter(rule => rule.isWholeFile);
  const untrusted = t("Only reading is allowed. Its rules and settings are not loaded.");
  const all = set["permissions.runEverything"];
  const lines: (ReportLine | false)[] = [
    ...broken.map(({ place = "", problem = "" }) => ({
      label: t("Everything asks"),
      from: place,
      warnings: [t("These settings cannot be used: {0}.", problem)],
    })),
    !trusted && { label: t("This workspace is not trusted"), warnings: [untrusted] },
    { label: t("Mode: {0}", name), ...place(settings, "permissions.mode"), detail: meaning },
    all && {
      label: t("Run everything without asking: on"),
      ...place(settings, "permissions.runEverything"),
      warnings: [t("Dangerous: in the mode Auto every command runs, whatever it does to this machine.")],
    },
    { label: t("Sandbox: {0}", sandbox), ...place(settings, "bash.sandbox") },
    {
      label:
        set["permissions.untrustedContent"] === "ask"
          ? t("After untrusted content: ask")
          : t("After untrusted content: no change"),
      ...place(settings, "permissions.untrustedContent"),
      detail: t(
        "Once web, server or outside text was read, changes ask until your next message, unless a rule allows them.",
      ),
    },
    {
      label: t("Always asked about: protected files"),
      detail: t(
        "Outside the workspace, .git, .vscode, .env files, keys and credentials, start-up files of shells, rules of agents, programs that start automatically, Strata's own settings and storage.",
      ),
    },
  ];
  return lines.filter(line => line !== false);
}

/** Who set it; nothing where it is the default. */
function place(settings: SettingsSource, name: SettingName): { from?: string } {
  const last = settings.layers?.().findLast(({ values }) => values[name] !== undefined);
  return last ? { from: fromWords(last) } : {};
}

const fromWords = ({ level, place }: { level: SettingLevel; place: string }) =>
  level === "managed" ? t("administrator: {0}", place) : level === "workspace" ? t("workspace: {0}", place) : place;

function ruleLine({ kind, text, level = "user", place = t("settings"), problem, bound }: Rule): ReportLine {
  const said = bound?.sentence ? { detail: t("{0} says: “{1}”", bound.file, bound.sentence) } : {};
  const line = { label: text, from: fromWords({ level, place }), ...said };
  if (problem === undefined) return line;
  const isLeftOut = kind === "allow";
  const warning = isLeftOut
    ? t("Cannot be read: {0}. It is left out.", problem)
    : t("Cannot be read: {0}. Its tool asks.", problem);
  return { ...line, warnings: [warning] };
}
