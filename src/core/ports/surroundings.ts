/** What stands around a session: rules, settings, editor, trust. */
import type { Settings } from "../../shared/settings";

export interface RuleFile {
  /** for people and manifests: "CODE_LAW.md", "app:AGENTS.md", "~/.config/strata/AGENTS.md" */
  path: string;
  text: string;
  /** bytes left out because the file is larger than 32 KB */
  cutBytes: number;
  trust: "user" | "rules";
}

/** Rules as saved on disk, in the order of CONTEXT.md section 1; in an untrusted workspace only the user's own. */
export interface Rules {
  read(): Promise<RuleFile[]>;
}

/** What the editor shows now; goes to the tail. Undefined in a terminal. */
export interface EditorState {
  activeFile?: string;
  /** 1-based lines */
  selection?: { path: string; first: number; last: number };
  openFiles: string[];
}

export interface Surroundings {
  /** For L1, and so it must hold still: "linux", "bash". */
  readonly platform: string;
  /** false: reads only, no rules */
  trusted(): boolean;
  editor(): EditorState | undefined;
}

export interface SettingsSource {
  /** as they stand now */
  get(): Settings;
}
