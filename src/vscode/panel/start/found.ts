/** What there is for the agent in this workspace and of the person's own, from the files and settings that name it. Pure. */

import type { RuleFile } from "../../../core/ground/ports";
import type { Report } from "../../../core/ground/text/report";
import { type HookFileView, type HooksView, hooksState } from "../../../core/guidance/hooks/report";
import type { SkillSet } from "../../../core/guidance/skills/knownSkills";
import { listed } from "../../../shared/format";
import { locale, plural, t } from "../../../shared/l10n";
import type { McpServerView } from "../../../shared/mcp";
import type { FoundLine, FoundSection } from "../../../shared/panelProtocol";
import { LAW_FILE, RULES_FILES } from "../../../shared/rulesFiles";

export interface FoundParts {
  rules: readonly RuleFile[];
  /** a folder is open, and trusted: rules of it are read */
  mayHaveRules: boolean;
  skills: SkillSet;
  servers: readonly McpServerView[];
  hooks: HooksView;
}

/** A report whose lines say what waits for the person. Servers are counted here, and listed beside it. */
export interface FoundReport extends Report {
  lead: string;
  sections: FoundSection[];
}

/** Sections without lines are left out. */
export function foundReport(parts: FoundParts): FoundReport {
  const sections: FoundSection[] = [
    { kind: "rules", title: t("Rules"), lines: ruleLines(parts) },
    { kind: "skills", title: t("Skills and prompts"), lines: skillLines(parts.skills) },
    { kind: "hooks", title: t("Hooks"), lines: hookLines(parts.hooks) },
  ];
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return { title: t("What I found here"), lead: summaryOf(parts), sections: shown };
}

/** "2 rules files, 3 skills, 1 server needs approval"; "": nothing */
function summaryOf({ rules, skills, servers, hooks }: FoundParts): string {
  const waitingServers = servers.filter(({ state }) => state === "unasked").length;
  const waitingHooks = hooks.files.filter(({ waits }) => waits).length;
  const callable = skills.skills.length + skills.prompts.length;
  const counts = [
    rules.length > 0 ? plural(rules.length, "1 rules file", "{0} rules files") : "",
    callable > 0 ? plural(callable, "1 skill", "{0} skills") : "",
    servers.length - waitingServers > 0 ? plural(servers.length - waitingServers, "1 server", "{0} servers") : "",
    waitingServers > 0 ? plural(waitingServers, "1 server needs approval", "{0} servers need approval") : "",
    waitingHooks > 0 ? plural(waitingHooks, "1 hooks file needs approval", "{0} hooks files need approval") : "",
  ].filter(Boolean);
  if (counts.length === 0) return "";
  return new Intl.ListFormat(locale(), { type: "unit", style: "short" }).format(counts);
}

/** Where the workspace has none, what they are called is said, and one can be begun. */
function ruleLines({ rules, mayHaveRules }: FoundParts): FoundLine[] {
  const lines = rules.map(ruleLine);
  if (!mayHaveRules || rules.some(({ trust, importedBy }) => trust !== "user" && importedBy === undefined))
    return lines;
  const detail = t("Strata reads {0}, and sends them with every request.", listed([LAW_FILE, ...RULES_FILES]));
  return [...lines, { label: t("No rules of this workspace"), detail, place: "new-rules" }];
}

function ruleLine({ path, trust, cutBytes, problem, importedBy, unread = [] }: RuleFile): FoundLine {
  const from =
    importedBy === undefined
      ? trust === "user"
        ? t("All workspaces")
        : t("This workspace")
      : t("Named in {0}", importedBy);
  const cut = cutBytes > 0 ? [t("Only its beginning is used: it is too long.")] : [];
  const warnings = [
    ...(problem ? [problem] : []),
    ...cut,
    ...unread.map(({ path: name, problem: why }) => t("{0} is not read: {1}", name, why)),
  ];
  return { label: path, from, path, ...(warnings.length > 0 ? { warnings } : {}) };
}

function skillLines({ skills, prompts, broken }: SkillSet): FoundLine[] {
  const called = [...skills, ...prompts].map(({ name, path, description, warnings }) => ({
    ...{ label: `/${name}`, from: path, detail: description, path },
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  }));
  return [...called, ...broken.map(({ path, problem }) => ({ label: path, path, warnings: [problem] }))];
}

function hookLines({ files, broken }: HooksView): FoundLine[] {
  const line = (file: HookFileView): FoundLine => ({
    label: file.path,
    detail: `${plural(file.hooks.length, "1 hook", "{0} hooks")} · ${hooksState(file)}`,
    place: "show-hooks",
    ...(file.waits ? { waits: true } : {}),
    ...(file.problems.length > 0 ? { warnings: [...file.problems] } : {}),
  });
  return [...files.map(line), ...broken.map(({ path, problem }) => ({ label: path, warnings: [problem] }))];
}
