/** The skills, prompts and agents of a session, read before each turn and before they are shown; and as people are shown them. */
import { remembered } from "../../../shared/defined";
import { listed } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import type { BrokenFile, Hash, InstructionFile, Skills } from "../../ground/ports";
import type { Report, ReportLine } from "../../ground/text/report";
import { skillSource } from "../../ground/text/sources";
import type { AgentType } from "./agentType";
import { hasHead, type Parse, type PromptFile, parsePrompt, parseSkill, type ReadYaml, type Skill } from "./parse";
import { parseAgent } from "./parseAgent";

/** Each name once. */
export interface SkillSet {
  skills: readonly Skill[];
  prompts: readonly PromptFile[];
  /** of files */
  agents: readonly AgentType[];
  /** those that cannot be used */
  broken: readonly BrokenFile[];
}

export class KnownSkills {
  current: SkillSet = { skills: [], prompts: [], agents: [], broken: [] };
  private readYaml: ReadYaml | undefined;
  // A file that has not changed is parsed once.
  private readonly skillOf = this.once(parseSkill);
  private readonly promptOf = this.once(parsePrompt);
  private readonly agentOf = this.once(parseAgent);

  /** @param port absent: there are none */
  constructor(
    private readonly port: Skills | undefined,
    private readonly hash: Hash,
  ) {}

  async read(): Promise<SkillSet> {
    if (!this.port) return this.current;
    const found = await this.port.read();
    if (!this.readYaml && [...found.skills, ...found.prompts, ...found.agents].some(({ text }) => hasHead(text)))
      this.readYaml = (await import("yaml")).parseDocument;
    const skills = named(found.skills, this.skillOf);
    const prompts = named(found.prompts, this.promptOf);
    const agents = named(found.agents, this.agentOf);
    const broken = [...found.broken, ...skills.broken, ...prompts.broken, ...agents.broken];
    this.current = { skills: skills.usable, prompts: prompts.usable, agents: agents.usable, broken };
    return this.current;
  }

  private once<T>(parse: (file: InstructionFile, readYaml?: ReadYaml) => T): (file: InstructionFile) => T {
    return remembered(file => parse(file, this.readYaml), new WeakMap<InstructionFile, T>());
  }

  find(name: string): Skill | undefined {
    return this.current.skills.find(skill => skill.name === name);
  }

  /** absolute folders of those that the person has outside any workspace */
  get ownFolders(): string[] {
    return this.current.skills.flatMap(({ folder, trust }) => (trust === "user" ? [folder] : []));
  }

  /** Another one where its file changed. */
  fingerprint({ name, text }: Skill): string {
    return `${skillSource(name)} ${this.hash.sha256(text)}`;
  }
}

/** Of two with one name the first is taken. */
function named<T extends Omit<PromptFile, "argumentHint">>(files: readonly InstructionFile[], parse: Parse<T>) {
  const usable = new Map<string, T>();
  const broken: BrokenFile[] = [];
  for (const file of files) {
    const parsed = parse(file);
    const first = "problem" in parsed ? undefined : usable.get(parsed.name);
    if ("problem" in parsed) broken.push({ path: file.path, problem: parsed.problem });
    else if (first) broken.push({ path: file.path, problem: t("{0} has the same name and comes first.", first.path) });
    else usable.set(parsed.name, parsed);
  }
  return { usable: [...usable.values()], broken };
}

/** Sections without lines are left out. */
export function skillsReport({ skills, prompts, agents, broken }: SkillSet): Report {
  const sections = [
    { title: t("Skills"), lines: skills.map(skillLine) },
    { title: t("Prompts"), lines: prompts.map(prompt => line(prompt, `/${called(prompt)}`)) },
    { title: t("Agents"), lines: agents.map(agentLine) },
    {
      title: t("Not usable"),
      lines: broken.map(({ path, problem }) => ({ label: path, detail: problem, warnings: [] })),
    },
  ].filter(({ lines }) => lines.length > 0);
  const callable = skills.length + prompts.length;
  const lead =
    callable === 0
      ? none()
      : plural(
          callable,
          "1 skill or prompt. Type `/` in the composer to call one.",
          "{0} skills and prompts. Type `/` in the composer to call one.",
        );
  return { title: t("Skills, prompts and agents"), lead, sections };
}

const called = ({ name, argumentHint }: PromptFile) => (argumentHint === "" ? name : `${name} ${argumentHint}`);

function skillLine(skill: Skill): ReportLine {
  const { forModel, forPeople } = skill;
  const who = forPeople ? (forModel ? [] : [t("Only you call it.")]) : [t("Only the model uses it.")];
  const read = line(skill, forPeople ? `/${called(skill)}` : skill.name);
  return { ...read, detail: [read.detail, ...who].join(" ") };
}

/** What it is for, and what it has. */
function agentLine(agent: AgentType): ReportLine {
  const { name, tools, without, model } = agent;
  const has = tools?.filter(tool => !without.includes(tool));
  const words = has
    ? has.length > 0
      ? t("Tools: {0}.", listed(has))
      : t("No tools.")
    : without.length > 0
      ? t("All tools but {0}.", listed(without))
      : t("All tools.");
  const asked = model === "small" ? t("Model: the one for small things.") : model && t("Model: {0}.", model);
  const read = line(agent, name);
  return { ...read, detail: [read.detail, words, asked].filter(Boolean).join(" ") };
}

const line = ({ path, description, warnings }: Omit<PromptFile, "argumentHint">, label: string): ReportLine => ({
  label,
  from: path,
  warnings,
  detail: description,
});

const none = () =>
  t(
    "No skills or prompts yet. A skill is a folder with a SKILL.md in `.strata/skills`, `.agents/skills`, `.claude/skills` or `.github/skills`, in the workspace or your home folder; a prompt is a Markdown file in `.strata/prompts`, `.github/prompts` or `.claude/commands`; an agent is one in `.claude/agents` or `.github/agents`.",
  );
