/** What a simple command does, by its words. */
import type { ShellWord } from "./words";

export type Judgement =
  /**
   * `files`: what it reads of the disk, `namesOnly`: but not their content, `recurses`: of the folder where it runs, too, if it
   * names none, `plainOnly`: but for names that begin with a dot. `git`: it runs what the repository's settings name. `anyWords`: further words could do no harm
   */
  | {
      effect: "reads";
      files: readonly ShellWord[];
      git?: true;
      namesOnly?: boolean;
      recurses?: boolean;
      plainOnly?: boolean;
      anyWords?: boolean;
    }
  /**
   * `why`: for the question. `risky`: the option for which it is asked about also where a rule allows the program; a rule
   * that names the option itself holds
   */
  | { effect: "acts"; why: string; risky?: string };
