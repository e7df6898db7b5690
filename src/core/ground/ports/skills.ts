/** Files that people wrote for agents, to be used when they are wanted: skills, and prompts that are called by their name. */
import type { RuleFile } from "./editor";

export interface InstructionFile extends Pick<RuleFile, "text" | "cutBytes" | "trust"> {
  /** of its folder (a skill), or its own without the ending, behind the folder around it (a prompt): `deploy`, `git:tidy` */
  name: string;
  /** for people and manifests: `.claude/skills/deploy/SKILL.md`, `app:.github/prompts/review.prompt.md` */
  path: string;
  /** absolute, links followed, '/' separators: what lies beside it belongs to it */
  folder: string;
}

export interface BrokenFile {
  path: string;
  /** a sentence */
  problem: string;
}

export interface InstructionFiles {
  /** the person's own before those of a workspace; a file that has not changed is the same object */
  skills: readonly InstructionFile[];
  prompts: readonly InstructionFile[];
  /** those that cannot be read */
  broken: readonly BrokenFile[];
}

/** As saved on disk; in an untrusted workspace only the person's own. */
export interface Skills {
  /** Never rejects. What has not changed is not read again. */
  read(): Promise<InstructionFiles>;
}
