/** Tools and Rules: what there is for the agent in this workspace and of the person's own, and what is in force, as rows. */

import { type InForce, tryInForce } from "../../../core/commands/tryCommand";
import {
  type Hash,
  type Hooks,
  type McpControl,
  type RuleFile,
  type Rules,
  SessionError,
} from "../../../core/ground/ports";
import type { Report, ReportLine } from "../../../core/ground/text/report";
import {
  type HookFileView,
  type HooksView,
  hookLines,
  hooksReport,
  hooksState,
  lookAtHooks,
} from "../../../core/guidance/hooks/report";
import { type SkillSet, skillsReport } from "../../../core/guidance/skills/knownSkills";
import { permissionsReport } from "../../../core/permissions/overview";
import { type Bindings, bindingSections, bindingsNow, rulesOf } from "../../../core/permissions/sentences";
import { defined } from "../../../shared/defined";
import type { LoggedDenial } from "../../../shared/denial";
import { dateTimeText, inARow, listed, namesText } from "../../../shared/format";
import { locale, plural, t } from "../../../shared/l10n";
import type { McpServerView } from "../../../shared/mcp";
import { deniedName } from "../../../shared/outcomeSaid";
import type { ToolRow, ToolSection } from "../../../shared/panelProtocol";
import { LAW_FILE, RULES_FILES } from "../../../shared/rulesFiles";
import type { PermissionMode } from "../../../shared/settingValues";
import { inOneLine } from "../../../shared/shown";
import { errorText, handlersFor } from "../host/dispatch";

export interface ToolsDeps extends Omit<InForce, "cwd"> {
  rules: Rules;
  /** Changes the setting at one of the two levels. Rejects with a SessionError, and nothing is changed. */
  bind(level: "user" | "workspace", change: (entries: readonly unknown[]) => unknown[]): Promise<void>;
  hooks?: Hooks | undefined;
  hash: Hash;
  servers(): Promise<McpControl>;
  session(): Promise<{
    mode: PermissionMode;
    skills: { read(): Promise<SkillSet> };
    history: { conversation: { denials: readonly LoggedDenial[] } };
  }>;
  trusted(): boolean;
  /** the folder in which commands begin: absolute, '/' separators; undefined: none is on this machine's disk */
  home(): string | undefined;
}

export function toolsHandlers(deps: ToolsDeps) {
  const hooksNow = async () => (deps.hooks ? lookAtHooks(deps.hooks, deps.hash) : { files: [], broken: [] });
  const skillsNow = async () => (await deps.session()).skills.read();
  const rulesNow = () => deps.rules.read();
  const denialsNow = async () => (await deps.session()).history.conversation.denials;
  const held = () => bindingsNow(deps.rules, deps.settings);
  return handlersFor({
    async found() {
      const servers = deps.servers().then(control => control.refresh().then(() => control.views()));
      const parts = await Promise.all([rulesNow(), skillsNow(), servers, hooksNow()]);
      return { summary: summaryOf(...parts) };
    },
    async tools() {
      const mayHaveRules = deps.trusted() && deps.files.roots.length > 0;
      const none = t("No sentence of your rules files forbids or demands what a rule could hold.");
      const sections = [
        part("skills", skillsNow, skillRows, skills => skillsReport(skills).lead),
        part("hooks", hooksNow, hookRows, hooks => hooksReport(hooks).lead),
        part("rules", rulesNow, rules => ruleRows(rules, mayHaveRules)),
        part("bindings", held, bindingRows, () => none),
        part("permissions", () => permissionsNow(deps), permissionRows),
        part("denials", denialsNow, denialRows, () => t("Nothing.")),
      ];
      return { sections: await Promise.all(sections) };
    },
    // The key is of the very sentence that was shown, or of the entry that ends.
    async bind({ key, to }) {
      const { proposed } = await held().catch((): Partial<Bindings> => ({}));
      const added = proposed?.filter(({ entry, against }) => JSON.stringify(entry) === key && !against) ?? [];
      await deps.bind(to, entries => {
        const left = entries.filter(entry => JSON.stringify(entry) !== key);
        // It may be of a folder's own settings, in a window with several.
        if (added.length === 0 && left.length === entries.length)
          throw new SessionError(t("This sentence or its settings have changed. Look again."));
        return [...left, ...added.map(({ entry }) => entry)];
      });
    },
    // What is there now has the key, or it was not this text that was shown.
    async approveHooks({ key, yes }) {
      const file = (await hooksNow()).files.find(each => each.key === key);
      if (!file) throw new SessionError(t("These hooks have changed. Read them again."));
      await (yes ? deps.hooks?.agree(key, file.path) : deps.hooks?.withdraw(key));
    },
    async tryCommand({ command }) {
      const at = { mode: (await deps.session()).mode, trusted: deps.trusted() };
      const { decision, why, programs } = await tryInForce(command, { ...deps, cwd: deps.home() ?? "/" }, at);
      const acting = programs.filter(({ effect }) => effect === "acts").map(program => program.command);
      const changes = acting.length > 1 ? ` · ${t("Changes something: {0}", acting.join(" · "))}` : "";
      return { icon: decisionIcons[decision], words: `${decisionWords()[decision]}: ${why}${changes}` };
    },
  });
}

const decisionIcons = { allow: "check", ask: "question", deny: "circle-slash" };
const decisionWords = () => ({ allow: t("Runs"), ask: t("Asks"), deny: t("Never runs") });

/** One that cannot be read says so, and the others are there. */
async function part<Of>(
  name: ToolSection["name"],
  read: () => Promise<Of>,
  rowsOf: (found: Of) => ToolRow[],
  lead: (found: Of) => string | undefined = () => "",
): Promise<ToolSection> {
  try {
    const found = await read();
    const rows = rowsOf(found);
    return { name, rows, none: (rows.length === 0 && lead(found)) || "" };
  } catch (error) {
    const row = { name: t("This could not be read."), icon: "error", warnings: [errorText(error)] };
    return { name, rows: [row], none: "" };
  }
}

/** "2 rules files, 3 skills, 1 server needs approval"; "": nothing */
export function summaryOf(
  rules: readonly RuleFile[],
  { skills, prompts }: SkillSet,
  servers: readonly McpServerView[],
  { files }: { files: readonly HookFileView[] },
): string {
  const waitingServers = servers.filter(({ state }) => state === "unasked").length;
  const waitingHooks = files.filter(({ waits }) => waits).length;
  const callable = skills.length + prompts.length;
  const read = rules.filter(({ sameAs }) => sameAs === undefined).length;
  const counts = [
    read > 0 ? plural(read, "1 rules file", "{0} rules files") : "",
    callable > 0 ? plural(callable, "1 skill", "{0} skills") : "",
    servers.length - waitingServers > 0 ? plural(servers.length - waitingServers, "1 server", "{0} servers") : "",
    waitingServers > 0 ? plural(waitingServers, "1 server needs approval", "{0} servers need approval") : "",
    waitingHooks > 0 ? plural(waitingHooks, "1 hooks file needs approval", "{0} hooks files need approval") : "",
  ].filter(Boolean);
  return counts.length === 0 ? "" : new Intl.ListFormat(locale(), { type: "unit", style: "short" }).format(counts);
}

/** Where the workspace has none, what they are called is said, and one can be begun. */
export function ruleRows(rules: readonly RuleFile[], mayHaveRules: boolean): ToolRow[] {
  const rows = rules.map(ruleRow);
  if (!mayHaveRules || rules.some(({ trust, importedBy }) => trust !== "user" && importedBy === undefined)) return rows;
  const detail = t("Strata reads {0}, and sends them with every request.", listed([LAW_FILE, ...RULES_FILES]));
  return [...rows, { name: t("No rules of this workspace"), detail, path: "" }];
}

function ruleRow({ path, trust, cutBytes, problem, sameAs, importedBy, unread = [] }: RuleFile): ToolRow {
  const own = trust === "user" ? t("All workspaces") : t("This workspace");
  const warnings = [
    ...(problem ? [problem] : []),
    ...(sameAs ? [t("{0} says the same as {1}, which is sent.", path, sameAs)] : []),
    ...(cutBytes > 0 ? [t("Only its beginning is used: it is too long.")] : []),
    ...unread.map(({ path: name, problem: why }) => t("{0} is not read: {1}", name, why)),
  ];
  return { name: path, from: importedBy === undefined ? own : t("Named in {0}", importedBy), path, warnings };
}

function bindingRows(bindings: Bindings): ToolRow[] {
  const { bound, proposed, guidance } = bindings;
  const [held, open] = bindingSections(bindings);
  const boundRows = bound.map(({ key, level, isStale }, at) => ({
    ...lineRow(held.lines[at], isStale ? t("bound, stale") : t("bound"), isStale ? "warning" : "pass-filled"),
    ...((level === "user" || level === "workspace") && { binding: { key, to: [level] } }),
  }));
  const proposals = proposed.map(({ entry, against }, at) => {
    const [first = "", ...others] = rulesOf(entry);
    const more = others.length > 0 ? ` ${plural(others.length, "and 1 more", "and {0} more")}` : "";
    const to: ("user" | "workspace")[] = entry.file.startsWith("~") ? ["user", "workspace"] : ["workspace", "user"];
    return {
      ...lineRow(open.lines[at], first + more, "circle-outline"),
      ...(!against && { binding: { key: JSON.stringify(entry), to } }),
    };
  });
  const words = plural(
    guidance.length,
    "1 sentence is guidance: no rule holds it",
    "{0} sentences are guidance: no rule holds them",
  );
  const lines = guidance.slice(0, 200).map(({ file, sentence }) => `${file}: ${sentence}`);
  return [...boundRows, ...proposals, ...(guidance.length > 0 ? [{ name: words, icon: "info", lines }] : [])];
}

const skillRows = (skills: SkillSet): ToolRow[] => [
  ...skillsReport({ ...skills, broken: [] }).sections.flatMap(({ lines }) =>
    lines.map(({ label, from = "", detail = "", warnings = [] }) => ({
      ...{ name: label, state: detail, from, path: from, warnings: [...warnings] },
    })),
  ),
  ...skills.broken.map(({ path, problem }) => ({ name: path, path, warnings: [problem] })),
];

/** What waits comes first. */
function hookRows({ files, broken }: HooksView): ToolRow[] {
  const sorted = [...files.filter(({ waits }) => waits), ...files.filter(({ waits }) => !waits)];
  return [
    ...sorted.map(hookRow),
    ...broken.map(({ path, problem }) => ({ name: path, icon: "error", warnings: [problem] })),
  ];
}

function hookRow(file: HookFileView): ToolRow {
  const { path, key, waits, switchesOff, hooks, problems, isConfined } = file;
  const count = plural(hooks.length, "1 hook", "{0} hooks");
  return {
    ...{ name: path, state: hooksState(file), warnings: [...problems], lines: hookLines(file) },
    icon: switchesOff ? "circle-slash" : waits ? "question" : "pass-filled",
    from: inARow([count, ...(isConfined ? [t("in the sandbox")] : [])]),
    ...(key !== undefined && { approval: { key, ...(waits && { question: hookQuestion(file) }) } }),
  };
}

/** All that an approval is for: the page shows it exactly. */
function hookQuestion({ exact, scripts, hooks, isConfined }: HookFileView) {
  const runs = isConfined
    ? t("Hooks run in the sandbox, as commands do, without asking. If they change, you are asked again.")
    : t("Hooks run as you, outside the sandbox, without asking. If they change, you are asked again.");
  const outside = isConfined && hooks.some(hook => hook.outside);
  const more = outside ? t('Those with "sandbox": false run as you, outside the sandbox.') : "";
  return { words: [runs, more, scriptsText(scripts)].filter(Boolean), exact };
}

const MAX_SCRIPTS = 12;

function scriptsText(scripts: readonly string[]): string {
  const limit = t("It does not cover what these or installed packages load or start in turn.");
  if (scripts.length === 0) return "";
  const names = namesText(scripts.slice(0, MAX_SCRIPTS).map(inOneLine));
  const more = scripts.length - MAX_SCRIPTS;
  return more > 0
    ? `${t("The approval covers the files that they name: {0} and {1} more.", names, more)} ${limit}`
    : `${t("The approval covers the files that they name: {0}.", names)} ${limit}`;
}

async function permissionsNow({ session, sandbox, settings, trusted }: ToolsDeps): Promise<Report> {
  const [{ mode }, found] = await Promise.all([session(), sandbox?.state()]);
  const isOff = settings.get()["bash.sandbox"] === "off";
  const isReady = found?.kind === "ready";
  const words = isOff ? t("off") : isReady ? t("on ({0})", found.name) : t("not available here");
  return permissionsReport({ mode, settings, sandbox: words, trusted: trusted() });
}

/** The newest first. */
const denialRows = (denials: readonly LoggedDenial[]): ToolRow[] =>
  denials.toReversed().map(({ denialId, title, ts, by, rule = "", words }) => ({
    denialId,
    name: deniedName({ title }).replace(/^`(.*)`$/s, "$1"),
    state: t("asks again, in any other way too"),
    from: inARow([
      ...(by === "user" ? [] : [by === "rule" ? t("rule {0}", rule) : t("hook {0}", rule)]),
      dateTimeText(ts),
    ]),
    ...defined({ detail: words }),
  }));

/** The state of a rule is the title that it stands under; the first section has no rules. */
const permissionRows = ({ sections: [inForce, ...kinds] }: Report): ToolRow[] => [
  ...(inForce?.lines ?? []).map(line => lineRow(line)),
  ...kinds.flatMap(({ title, lines }) => lines.map(line => lineRow(line, title))),
];

const lineRow = (
  { label = "", from, detail, text, warnings = [] }: Partial<ReportLine> = {},
  state?: string,
  icon?: string,
): ToolRow => ({
  ...{ name: label, warnings: [...warnings] },
  ...defined({ state, icon, from, detail, lines: text?.split("\n") }),
});
