/** Which skills and prompts there are, for people. */
import { plural, t } from "../../../shared/l10n";
import type { Report, ReportLine } from "../../ground/text/report";
import type { SkillSet } from "./knownSkills";
import type { PromptFile, Skill } from "./parse";

/** Sections without lines are left out. */
export function skillsReport({ skills, prompts, broken }: SkillSet): Report {
  const sections = [
    { title: t("Skills"), lines: skills.map(skillLine) },
    { title: t("Prompts"), lines: prompts.map(prompt => line(prompt, `/${called(prompt)}`)) },
    {
      title: t("Not usable"),
      lines: broken.map(({ path, problem }) => ({ label: path, detail: problem, warnings: [] })),
    },
  ].filter(({ lines }) => lines.length > 0);
  const lead =
    sections.length === 0
      ? none()
      : plural(
          skills.length + prompts.length,
          "1 skill or prompt. Type `/` in the composer to call one.",
          "{0} skills and prompts. Type `/` in the composer to call one.",
        );
  return { title: t("Skills and prompts"), lead, sections };
}

const called = ({ name, argumentHint }: PromptFile) => (argumentHint === "" ? name : `${name} ${argumentHint}`);

function skillLine(skill: Skill): ReportLine {
  const { forModel, forPeople } = skill;
  const who = forPeople ? (forModel ? [] : [t("Only you call it.")]) : [t("Only the model uses it.")];
  const read = line(skill, forPeople ? `/${called(skill)}` : skill.name);
  return { ...read, detail: [read.detail, ...who].join(" ") };
}

const line = ({ path, description, warnings }: PromptFile, label: string): ReportLine => ({
  label,
  from: path,
  warnings,
  detail: description,
});

const none = () =>
  t(
    "No skills or prompts yet. A skill is a folder with a SKILL.md in `.strata/skills`, `.agents/skills`, `.claude/skills` or `.github/skills`, in the workspace or your home folder; a prompt is a Markdown file in `.strata/prompts`, `.github/prompts` or `.claude/commands`.",
  );
