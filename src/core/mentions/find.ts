import { FileError, type Files } from "../ports";
import { parseMentions } from "./parse";

/**
 * The files that a text mentions and that exist in the workspace, as the user wrote them (with their line range), in
 * order. What is not there or lies outside is passed over: it gets no reminder (CONTEXT.md, section 9).
 */
export async function mentionedFiles(text: string, files: Pick<Files, "resolve" | "stat">): Promise<string[]> {
  const found: string[] = [];
  for (const { path, range } of parseMentions(text)) {
    const stat = await statInside(path, files);
    if (stat?.type !== "file") continue;
    const lines = range ? `:${range.first}-${range.last}` : "";
    found.push(`${/^[\w/.:-]+$/.test(path) ? path : `"${path}"`}${lines}`);
  }
  return found;
}

async function statInside(path: string, files: Pick<Files, "resolve" | "stat">) {
  try {
    const ref = await files.resolve(path);
    return ref.inside ? await files.stat(ref) : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
