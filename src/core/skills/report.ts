/** Which skills and prompts there are, for people. */
import { visibleLine } from "../../shared/shown";
import { codeSpan, counted } from "../text/format";
import type { SkillSet } from "./knownSkills";
import type { PromptFile, Skill } from "./parse";

interface ReportLine {
  /** how it is called, or the path of what is broken */
  label: string;
  /** where it stands; absent: the label says so */
  from?: string;
  detail: string;
  warnings: readonly string[];
}

interface ReportSection {
  title: string;
  lines: ReportLine[];
}

/** Sections without lines are left out. Foreign words are as they stand: whoever shows them makes them plain. */
export function skillSections({ skills, prompts, broken }: SkillSet): ReportSection[] {
  const sections = [
    { title: "Skills", lines: skills.map(skillLine) },
    { title: "Prompts", lines: prompts.map(prompt => line(prompt, `/${called(prompt)}`)) },
    {
      title: "Not usable",
      lines: broken.map(({ path, problem }) => ({ label: path, detail: problem, warnings: [] })),
    },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
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
  "There are none. A skill is a folder with a SKILL.md in `.strata/skills`, `.agents/skills`, `.claude/skills` or `.github/skills`, of the workspace or of your home; a prompt is a Markdown file in `.strata/prompts`, `.github/prompts` or `.claude/commands`.";

/** A page in Markdown. */
export function skillsPage(set: SkillSet): string {
  const sections = skillSections(set).map(({ title, lines }) => {
    const items = lines.map(({ label, from, detail, warnings }) => {
      const words = [...(detail === "" ? [] : [detail]), ...warnings.map(warning => `⚠ ${warning}`)].map(escaped);
      return [`**${escaped(label)}**`, ...words, ...(from === undefined ? [] : [codeSpan(visibleLine(from))])].join(
        "  \n",
      );
    });
    return `## ${title}\n\n${items.join("\n\n")}`;
  });
  const total = counted(set.skills.length + set.prompts.length, "skill or prompt", "skills and prompts");
  return [
    "# Skills and prompts",
    sections.length === 0 ? NONE : `${total}. Type \`/\` in the composer to call one.`,
    ...sections,
  ].join("\n\n");
}

/** As it stands: nothing in it is a link, a picture, a tag or an emphasis, and no address becomes a link by itself. */
const escaped = (text: string): string =>
  visibleLine(text)
    .trim()
    .replace(/[\\`*_{}[\]()<>#+\-!|~&.:@=$^]/g, mark => `&#${mark.charCodeAt(0)};`);
