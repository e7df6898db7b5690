/** The skills and prompts of a session, read before each turn and before they are shown. */
import { t } from "../../../shared/l10n";
import type { BrokenFile, Hash, InstructionFile, Skills } from "../../ground/ports";
import { skillSource } from "../../ground/text/sources";
import { hasPlainHead, type PromptFile, parsePrompt, parseSkill, type ReadYaml, type Skill } from "./parse";

/** Each name once. */
export interface SkillSet {
  skills: readonly Skill[];
  prompts: readonly PromptFile[];
  /** those that cannot be used */
  broken: readonly BrokenFile[];
}

type Parser<T> = (file: InstructionFile, readYaml?: ReadYaml) => T | Pick<BrokenFile, "problem">;

export class KnownSkills {
  current: SkillSet = { skills: [], prompts: [], broken: [] };
  private readYaml: ReadYaml | undefined;
  private readonly parseSkill = once(parseSkill);
  private readonly parsePrompt = once(parsePrompt);

  /** @param port absent: there are none */
  constructor(
    private readonly port: Skills | undefined,
    private readonly hash: Hash,
  ) {}

  async read(): Promise<SkillSet> {
    if (!this.port) return this.current;
    const found = await this.port.read();
    if (!this.readYaml && ![...found.skills, ...found.prompts].every(({ text }) => hasPlainHead(text)))
      this.readYaml = (await import("yaml")).parseDocument;
    const skills = named(found.skills, file => this.parseSkill(file, this.readYaml));
    const prompts = named(found.prompts, file => this.parsePrompt(file, this.readYaml));
    const broken = [...found.broken, ...skills.broken, ...prompts.broken];
    this.current = { skills: skills.usable, prompts: prompts.usable, broken };
    return this.current;
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

/** A file that has not changed is parsed once. */
function once<T extends object>(parse: Parser<T>): Parser<T> {
  const known = new WeakMap<InstructionFile, ReturnType<Parser<T>>>();
  return (file, readYaml) => {
    const parsed = known.get(file) ?? parse(file, readYaml);
    known.set(file, parsed);
    return parsed;
  };
}

/** Of two with one name the first is taken. */
function named<T extends PromptFile>(files: readonly InstructionFile[], parse: Parser<T>) {
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
