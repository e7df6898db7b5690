/** What stands around a session: rules, settings, editor, trust. */
import type { Settings } from "../../shared/settings";
import type { FileRef } from "./files";

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
  /** @param nested paths (`RuleFile.path`) of rules of folders below the roots: as they stand now, after those of the roots */
  read(nested?: readonly string[]): Promise<RuleFile[]>;
  /**
   * `AGENTS.md` of each folder between a file's root and the file, without those of the root itself and what they say already;
   * the one nearest to the file last. None for a file outside the workspace.
   */
  nested(file: Pick<FileRef, "absolute">): Promise<RuleFile[]>;
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
