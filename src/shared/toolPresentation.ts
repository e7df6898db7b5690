/**
 * How a tool is shown to people: its words, its icon and which field of its input names what it works on. Plain data, so
 * that every front end can use it; a tool that is not in the table gets a presentation made of its name.
 */
interface ToolPresentation {
  /** what a call does, did or could not do; its target follows, or nothing where there is none */
  words: { running: string; done: string; failed: string };
  /** codicon */
  icon: string;
  /** the field of the input that names what the call works on; absent: no field does */
  target?: { field: string; kind: TargetKind };
  /** the result's text is what a command printed */
  printsOutput?: true;
}

/** A `file` can be opened, a `pattern` stands in quotes, a `command` in the terminal's font. */
type TargetKind = "text" | "file" | "pattern" | "command";

const presentations: Readonly<Record<string, ToolPresentation>> = {
  Read: {
    words: { running: "Reading", done: "Read", failed: "Could not read" },
    icon: "file",
    target: { field: "file_path", kind: "file" },
  },
  LS: {
    words: { running: "Listing", done: "Listed", failed: "Could not list" },
    icon: "folder",
    target: { field: "path", kind: "text" },
  },
  Glob: {
    words: { running: "Finding", done: "Found", failed: "Could not find" },
    icon: "list-tree",
    target: { field: "pattern", kind: "text" },
  },
  Grep: {
    words: { running: "Searching for", done: "Searched for", failed: "Could not search for" },
    icon: "search",
    target: { field: "pattern", kind: "pattern" },
  },
  Edit: {
    words: { running: "Editing", done: "Edited", failed: "Could not edit" },
    icon: "edit",
    target: { field: "file_path", kind: "file" },
  },
  MultiEdit: {
    words: { running: "Editing", done: "Edited", failed: "Could not edit" },
    icon: "edit",
    target: { field: "file_path", kind: "file" },
  },
  Write: {
    words: { running: "Writing", done: "Wrote", failed: "Could not write" },
    icon: "new-file",
    target: { field: "file_path", kind: "file" },
  },
  Bash: {
    words: { running: "Running", done: "Ran", failed: "Failed to run" },
    icon: "terminal",
    target: { field: "command", kind: "command" },
    printsOutput: true,
  },
  BashOutput: {
    words: { running: "Reading the output of", done: "Read the output of", failed: "Could not read the output of" },
    icon: "output",
    target: { field: "bash_id", kind: "text" },
    printsOutput: true,
  },
  KillBash: {
    words: { running: "Ending", done: "Ended", failed: "Could not end" },
    icon: "debug-stop",
    target: { field: "shell_id", kind: "text" },
    printsOutput: true,
  },
  Recall: {
    words: { running: "Recalling", done: "Recalled", failed: "Could not recall" },
    icon: "history",
    target: { field: "handle", kind: "text" },
  },
  Diagnostics: {
    words: {
      running: "Looking for problems in",
      done: "Looked for problems in",
      failed: "Could not look for problems in",
    },
    icon: "pulse",
    target: { field: "file_path", kind: "text" },
  },
  TodoWrite: {
    words: {
      running: "Updating the todo list",
      done: "Updated the todo list",
      failed: "Could not update the todo list",
    },
    icon: "checklist",
  },
};

/** @param toolName as the model calls it, for example `server:tool` of a foreign tool */
export function toolPresentation(toolName: string): ToolPresentation {
  const known = Object.hasOwn(presentations, toolName) ? presentations[toolName] : undefined;
  const words = { running: `Calling ${toolName}`, done: `Called ${toolName}`, failed: `${toolName} failed` };
  return known ?? { words, icon: "tools" };
}
