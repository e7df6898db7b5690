/** Which skills and prompts there are, for people. */
import { counted } from "../text/format";
import type { Report, ReportLine } from "../text/report";
import type { SkillSet } from "./knownSkills";
import type { PromptFile, Skill } from "./parse";

/** Sections without lines are left out. */
export function skillsReport({ skills, prompts, broken }: SkillSet): Report {
  const sections = [
    { title: "Skills", lines: skills.map(skillLine) },
    { title: "Prompts", lines: prompts.map(prompt => line(prompt, `/${called(prompt)}`)) },
    {
      title: "Not usable",
      lines: broken.map(({ path, problem }) => ({ label: path, detail: problem, warnings: [] })),
    },
  ].filter(({ lines }) => lines.length > 0);
  const total = counted(skills.length + prompts.length, "skill or prompt", "skills and prompts");
  const lead = sections.length === 0 ? NONE : `${total}. Type \`/\` in the composer to call one.`;
  return { title: "Skills and prompts", lead, sections };
}

const called = ({ name, argumentHint }: PromptFile) => (argumentHint === "" ? name : `${name} ${argumentHint}`);

function skillLine(skill: Skill): ReportLine {
  const { forModel, forPeople } = skill;
  const who = forPeople ? (forModel ? [] : ["Only you call it."]) : ["Only the model uses it."];
  const read = line(skill, forPeople ? `/${called(skill)}` : skill.name);
  return { ...read, detail: [read.detail, ...who].join(" ") };
}

const line = ({ path, description, warnings }: PromptFile, label: string): ReportLine => ({
  label,
  from: path,
  warnings,
  detail: description,
});

const NONE =
  "No skills or prompts yet. A skill is a folder with a SKILL.md in `.strata/skills`, `.agents/skills`, `.claude/skills` or `.github/skills`, in the workspace or your home folder; a prompt is a Markdown file in `.strata/prompts`, `.github/prompts` or `.claude/commands`.";
