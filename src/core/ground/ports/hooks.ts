/** Hooks: commands of a person's or a team's own that run at fixed moments of a session (docs/hooks.md). */
import type { WrittenFile } from "./editor";
import type { SandboxPolicy } from "./shell";

export interface HookFile {
  /** for people: `.claude/settings.json`, `~/.claude/settings.json` */
  path: string;
  /** absolute folder of the workspace that the file belongs to, '/' separators; absent: it is the person's own */
  folder?: string;
  text: string;
  /** whose commands it may choose among; absent: Linux's */
  system?: "linux" | "macOS" | "windows";
}

export interface HookFiles {
  /** the person's own first; a file that has not changed is the same object */
  files: readonly HookFile[];
  /** those that cannot be read */
  broken: readonly BrokenFile[];
}

/** Files of the workspace that an agreement to commands covers. */
export interface AgreedScripts {
  /** of all of them */
  fingerprint: string;
  /** their paths in the folder */
  names: readonly string[];
  /** absolute; those that nothing in the sandbox may change */
  scripts: readonly string[];
}

/** Where hooks are written, and what the person agreed to of a workspace's. */
export interface Hooks {
  /** Never rejects. What has not changed is not read again. In an untrusted workspace only the person's own. */
  read(): Promise<HookFiles>;
  /**
   * Hashes of the files that the commands name and of the project's task files: the agreement covers them too.
   * @param folder absolute: base of relative names
   * @returns a sentence if there are too many to check before every run
   */
  fingerprint(folder: string, commands: readonly string[]): Promise<AgreedScripts | string>;
  /** @param key sha256 of all that an agreement is for */
  hasAgreed(key: string): Promise<boolean>;
  /** It outlives the process. Rejects where it cannot be kept. */
  agree(key: string, path: string): Promise<void>;
  withdraw(key: string): Promise<void>;
  /** What a workspace's hooks start in, but for those whose entry says otherwise; absent: there is no sandbox. */
  around?(): Promise<SandboxPolicy>;
  /** These alone run by agreements now: nothing in the sandbox is to change them. @param scripts absolute */
  guard?(scripts: readonly string[]): void;
  /** Whether these waiting hooks are not announced yet in this process; marks them as announced. */
  isNews?(key: string): boolean;
}

// Skills, prompts and agents: files that people wrote for agents.

export interface InstructionFile extends WrittenFile {
  /** of its folder (a skill), or its own without the ending; of a prompt, behind the folder around it: `deploy`, `git:tidy` */
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
  agents: readonly InstructionFile[];
  /** those that cannot be read */
  broken: readonly BrokenFile[];
}

/** As saved on disk; in an untrusted workspace only the person's own. */
export interface Skills {
  /** Never rejects. What has not changed is not read again. */
  read(): Promise<InstructionFiles>;
}
