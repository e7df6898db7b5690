/** A kind of agent that a task can be given to: built in, or as a file describes it (docs/guide/agents.md). */
import type { PromptFile } from "./parse";

/** Names of those that are built in: no file takes the place of one. */
export const builtInAgents = ["explore", "review"] as const;

/** `text`: what it is told beside its task; `path`: "" of one that is built in; `description`: when to use it, for the caller's model */
export interface AgentType extends Omit<PromptFile, "argumentHint"> {
  /** The only tools that it gets of its caller's; absent: all. Names as ours are, `server:tool` and `server:*`. */
  tools?: readonly string[];
  /** of these, those that it does not get */
  without: readonly string[];
  /** as written, `inherit` and the like resolved; absent: its caller's. "small": that for small things */
  model?: string;
  reasoning?: "none" | "minimal" | "low" | "medium" | "high";
  /** steps of a turn */
  maxTurns?: number;
  /** skills that it loads before it begins */
  skills: readonly string[];
  /** it works in a working tree of its own */
  isolation?: "worktree";
  /** its caller works on meanwhile, where the call says nothing else */
  background?: boolean;
}
