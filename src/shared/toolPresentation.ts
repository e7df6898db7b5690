/**
 * How a tool is shown to people: its icon and which field of its input names what it works on. Plain data, so
 * that every front end can use it; a tool that is not in the table gets the icon of any tool.
 */
interface ToolPresentation {
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
  Read: { icon: "file", target: { field: "file_path", kind: "file" } },
  LS: { icon: "folder", target: { field: "path", kind: "text" } },
  Glob: { icon: "list-tree", target: { field: "pattern", kind: "text" } },
  Grep: { icon: "search", target: { field: "pattern", kind: "pattern" } },
  Edit: { icon: "edit", target: { field: "file_path", kind: "file" } },
  MultiEdit: { icon: "edit", target: { field: "file_path", kind: "file" } },
  Write: { icon: "new-file", target: { field: "file_path", kind: "file" } },
  Bash: { icon: "terminal", target: { field: "command", kind: "command" }, printsOutput: true },
  BashOutput: { icon: "output", target: { field: "bash_id", kind: "text" }, printsOutput: true },
  KillBash: { icon: "debug-stop", target: { field: "shell_id", kind: "text" }, printsOutput: true },
  Recall: { icon: "history", target: { field: "handle", kind: "text" } },
  Diagnostics: { icon: "pulse", target: { field: "file_path", kind: "text" } },
  Code: { icon: "symbol-method", target: { field: "symbol", kind: "text" } },
  Refactor: { icon: "replace-all", target: { field: "symbol", kind: "text" } },
  RunTask: { icon: "run-all", target: { field: "name", kind: "text" } },
  FindTools: { icon: "plug", target: { field: "query", kind: "text" } },
  AskUser: { icon: "comment-discussion" },
  TodoWrite: { icon: "checklist" },
};

/** @param toolName as the model calls it, for example `server:tool` of a foreign tool */
export function toolPresentation(toolName: string): ToolPresentation {
  const known = Object.hasOwn(presentations, toolName) ? presentations[toolName] : undefined;
  return known ?? { icon: toolName.includes(":") ? "plug" : "tools" };
}
