/** What the editor hides from lists and searches. */
import * as vscode from "vscode";

/** Globs, relative to each root. Those that depend on a sibling (`when`) are the explorer's affair. */
export function excludedGlobs(): string[] {
  const settings = ["files.exclude", "search.exclude"].map(
    name => vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {},
  );
  return [...new Set(settings.flatMap(globs => Object.keys(globs).filter(glob => globs[glob] === true)))];
}
