/** What is in force and from where, for people: mode, rules by what they do, what is always asked about, the sandbox. */
import { modeWords, type PermissionMode } from "../../shared/settingValues";
import type { SettingLevel, SettingsSource } from "../ports";
import type { Report, ReportLine } from "../text/report";
import { rulesInForce } from "./levels";
import { covers, type Rule } from "./rules";

/** Of a rule: where its setting is. */
export type RulePlace = Pick<Required<Rule>, "kind" | "level">;
type OverviewLine = ReportLine<RulePlace>;

interface OverviewState {
  mode: PermissionMode;
  trusted: boolean;
  settings: Pick<SettingsSource, "get" | "layers">;
  /** what confines commands, in words */
  sandbox: string;
  /** what an untrusted workspace has that is held back: "AGENTS.md" */
  heldBack?: readonly string[];
}

/** What can be chosen is where a rule is set. */
export function permissionsReport(state: OverviewState): Report<RulePlace> {
  const rules = rulesInForce(state.settings);
  const marks = new Map(rules.map((rule, at) => [rule, markOf(rule, rules, at)]));
  const sections = (["deny", "ask", "allow"] as const).map(kind => ({
    title: titles[kind],
    lines: rules.filter(rule => rule.kind === kind && !rule.isWholeFile).map(rule => ruleLine(rule, marks.get(rule))),
  }));
  const inAll = [
    { title: "In force", lines: inForce(state, rules) },
    ...sections.filter(({ lines }) => lines.length > 0),
  ];
  return { title: "Permissions", sections: inAll };
}

const titles = {
  deny: "Never runs (deny)",
  ask: "Always asks (ask)",
  allow: "Runs without asking (allow)",
};

function inForce({ mode, trusted, settings, sandbox, heldBack = [] }: OverviewState, rules: readonly Rule[]) {
  const { name, meaning } = modeWords(mode);
  const set = settings.get();
  const broken = rules.filter(rule => rule.isWholeFile);
  const held = heldBack.length > 0 ? ` Held back: ${heldBack.join(", ")}.` : "";
  const all = set["permissions.runEverything"];
  const lines: (OverviewLine | false)[] = [
    ...broken.map(({ place = "", problem = "" }) => ({
      label: "Everything asks",
      from: place,
      warnings: [`These settings cannot be used: ${problem}.`],
    })),
    !trusted && {
      label: "This workspace is not trusted",
      warnings: [`Only reading is allowed. Its rules and settings are not loaded.${held}`],
    },
    { label: `Mode: ${name}`, ...place(settings, "permissions.mode"), detail: meaning },
    all && {
      label: "Run everything without asking: on",
      ...place(settings, "permissions.runEverything"),
      warnings: ["Dangerous: in the mode Auto every command runs, whatever it does to this machine."],
    },
    { label: `Sandbox: ${sandbox}`, ...place(settings, "bash.sandbox") },
    {
      label: `After untrusted content: ${set["permissions.untrustedContent"] === "ask" ? "ask" : "no change"}`,
      ...place(settings, "permissions.untrustedContent"),
      detail:
        "After web, server or outside text was read, changes ask until your next message, unless a rule allows them.",
    },
    {
      label: "Always asked about: protected files",
      detail:
        "Outside the workspace, .git, .vscode, .env files, keys and credentials, start-up files of shells, what tells agents what to do or starts by itself, Strata's own settings and storage.",
    },
  ];
  return lines.filter(line => line !== false);
}

/** Who set it; nothing where it is the default. */
function place(settings: OverviewState["settings"], name: keyof ReturnType<SettingsSource["get"]>): { from?: string } {
  const layers = settings.layers?.() ?? [];
  const last = layers.findLast(({ values }) => values[name] !== undefined);
  return last ? { from: fromWords(last) } : {};
}

const levelWords: Record<SettingLevel, string> = {
  managed: "administrator: ",
  user: "",
  workspace: "workspace: ",
  session: "",
};
const fromWords = ({ level, place }: { level: SettingLevel; place: string }) => levelWords[level] + place;

function ruleLine({ text, kind, level = "user", place = "settings" }: Rule, warning: string | undefined): OverviewLine {
  const line = { label: text, from: fromWords({ level, place }), action: { kind, level } };
  return warning === undefined ? line : { ...line, warnings: [warning] };
}

const strictness = { deny: 2, ask: 1, allow: 0 };

/** What is wrong with a rule; undefined: nothing. */
function markOf(rule: Rule, rules: readonly Rule[], at: number): string | undefined {
  if (rule.problem !== undefined)
    return `Cannot be read: ${rule.problem}. ${rule.kind === "allow" ? "It is left out." : "Its tool asks."}`;
  const readable = rules.filter(other => other.problem === undefined);
  const twin = rules.slice(0, at).find(other => other.kind === rule.kind && other.text === rule.text);
  if (twin) return `The same rule is in ${twin.place ?? "your settings"}.`;
  const stricter = readable.filter(other => strictness[other.kind] > strictness[rule.kind] && covers(other, rule));
  const [winner] = stricter.sort((a, b) => strictness[b.kind] - strictness[a.kind]);
  if (!winner) return undefined;
  const where = winner.place === undefined ? "" : ` in ${winner.place}`;
  const what = winner.text === rule.text ? "Contradicts" : "Never counts: it is covered by";
  return `${what} ${winner.text}, under ${winner.kind}${where}, which wins.`;
}
