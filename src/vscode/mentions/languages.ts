/** How the languages of the installed extensions write comments: VS Code has no other way to tell. */
import * as vscode from "vscode";
import { commentSyntaxIn } from "../../core/mentions/comments";
import { mapBounded } from "../../core/text/mapBounded";
import type { CommentSyntax } from "../../shared/mentions/serverProtocol";

const MAX_CONCURRENT_READS = 16;

interface Configured {
  id: string;
  file: vscode.Uri;
}

/** A language may be configured by several extensions. */
function configured(): Configured[] {
  return vscode.extensions.all.flatMap(({ extensionUri, packageJSON }) => {
    const languages: unknown = packageJSON?.contributes?.languages;
    if (!Array.isArray(languages)) return [];
    return languages.flatMap(({ id, configuration }) =>
      typeof id === "string" && typeof configuration === "string"
        ? [{ id, file: vscode.Uri.joinPath(extensionUri, configuration) }]
        : [],
    );
  });
}

/** Ids of languages that may have comments, as their extensions' manifests have them. */
export function configuredLanguages(): ReadonlySet<string> {
  return new Set(configured().map(({ id }) => id));
}

/** By language id. @param languageId of that one only */
export async function commentSyntaxes(languageId?: string): Promise<Record<string, CommentSyntax>> {
  const wanted = configured().filter(({ id }) => languageId === undefined || id === languageId);
  const found = await mapBounded(
    wanted,
    MAX_CONCURRENT_READS,
    async ({ id, file }) => [id, await syntaxIn(file)] as const,
  );
  // Of several the first one counts.
  return Object.fromEntries(found.flatMap(([id, syntax]) => (syntax ? [[id, syntax] as const] : [])).reverse());
}

/** undefined: the file cannot be read, or says nothing of comments */
async function syntaxIn(file: vscode.Uri): Promise<CommentSyntax | undefined> {
  try {
    return commentSyntaxIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  } catch {
    return undefined;
  }
}
