/** Skills, prompts and agents in memory, as their files would be. */
import type { InstructionFile, InstructionFiles, Skills } from "../../src/core/ground/ports";

export class MemorySkills implements Skills {
  skills: InstructionFile[] = [];
  prompts: InstructionFile[] = [];
  agents: InstructionFile[] = [];

  async read(): Promise<InstructionFiles> {
    const { skills, prompts, agents } = this;
    return { skills, prompts, agents, broken: [] };
  }

  /** Puts a skill there, in the place of one of its name. */
  write(name: string, text: string): this {
    const file = skillFile(name, text);
    this.skills = [...this.skills.filter(each => each.name !== name), file];
    return this;
  }
}

export const skillFile = (name: string, text: string, change: Partial<InstructionFile> = {}): InstructionFile => ({
  ...{ name, text, path: `.claude/skills/${name}/SKILL.md`, folder: `/work/app/.claude/skills/${name}` },
  ...{ cutBytes: 0, trust: "rules" as const },
  ...change,
});

/** A file of instructions with a head. */
export const withHead = (fields: Record<string, string>, body: string): string =>
  ["---", ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), "---", body].join("\n");
