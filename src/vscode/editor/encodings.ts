/** Bytes and text as the editor turns one into the other: nothing may be lost on the way, and what cannot be held is refused. */
import * as vscode from "vscode";
import { FileError, type TextEdit } from "../../core/ground/ports";

const UNICODE = new Set(["utf8", "utf8bom", "utf16le", "utf16be"]);

/** The bytes that saving would write. */
export async function encodedText(text: string, encoding: string): Promise<Uint8Array> {
  if (encoding === "utf8") return new TextEncoder().encode(text);
  return vscode.workspace.encode(text, { encoding });
}

/**
 * How the editor reads a file that is not open: by the settings for that file, where they say anything else than UTF-8.
 * undefined: as UTF-8 or by its BOM, as everybody does.
 */
export function editorsEncoding(uri: vscode.Uri): string | undefined {
  const files = vscode.workspace.getConfiguration("files", uri);
  const encoding = files.get<string>("encoding", "utf8");
  return encoding === "utf8" && !files.get<boolean>("autoGuessEncoding", false) ? undefined : encoding;
}

/** Rejects with FileError IO where the edits bring characters that the file's encoding does not have: it would get a `?` instead. */
export async function requireHolds(edits: readonly TextEdit[], encoding: string, path: string): Promise<void> {
  const text = edits.map(edit => edit.text).join("");
  if (!encoding.startsWith("utf16") && !text.isWellFormed())
    throw new FileError("IO", `${path} was not changed: the new text holds half a character (a lone surrogate).`);
  if (UNICODE.has(encoding)) return;
  const lost = await firstLost(text, encoding);
  if (lost === undefined) return;
  throw new FileError(
    "IO",
    `${path} was not changed: its encoding is ${encoding}, which has no "${lost}". Use other characters, or ask the user to have the file in UTF-8.`,
  );
}

async function firstLost(text: string, encoding: string): Promise<string | undefined> {
  const roundTrip = async (part: string) =>
    vscode.workspace.decode(await vscode.workspace.encode(part, { encoding }), { encoding });
  if ((await roundTrip(text)) === text) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is in every encoding that the editor has
  for (const character of new Set(text.replace(/[\x00-\x7f]/g, "")))
    if ((await roundTrip(character)) !== character) return character;
  return undefined;
}
