/** Asks a person at the terminal for one line; a secret is not shown. */

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { t } from "../shared/l10n";
import { visibleLine } from "../shared/shown";

interface InputPrompt {
  description: string;
  secret: boolean;
  /** what can be chosen; absent: anything may be typed */
  options?: readonly string[];
  default?: string;
}

/** @returns undefined where they gave no answer: an empty line without a default, Ctrl+C, Ctrl+D */
export async function askInput(
  asked: InputPrompt,
  about: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string | undefined> {
  const { options = [] } = asked;
  output.write(`${visibleLine(about)}: ${visibleLine(asked.description)}\n`);
  for (const [at, option] of options.entries()) output.write(`  ${at + 1}  ${visibleLine(option)}\n`);
  for (;;) {
    const line = await readOneLine(promptOf(asked), asked.secret, { input, output });
    if (line === undefined) return undefined;
    const value = line === "" ? asked.default : options.length > 0 ? chosen(line, options) : line;
    if (value !== undefined || line === "") return value;
    output.write(t("Type a number from 1 to {0}.\n", options.length));
  }
}

function promptOf({ secret, options, default: usual }: InputPrompt): string {
  if (usual !== undefined && !secret) return `[${visibleLine(usual)}] `;
  return secret ? t("(not shown) ") : options ? "Number: " : "> ";
}

const chosen = (line: string, options: readonly string[]): string | undefined =>
  options.find(option => option === line) ?? (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined);

/** undefined: Ctrl+C, Ctrl+D, or the input is over */
export async function readOneLine(
  prompt: string,
  secret: boolean,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  // With `terminal` the keys come one by one, and only this interface could show them.
  const lines = createInterface({ input, output: secret ? nowhere : output, terminal: true, historySize: 0 });
  // Only now: the interface above keeps the terminal from showing keys.
  output.write(prompt);
  if (!secret) lines.setPrompt(prompt);
  try {
    return await new Promise<string | undefined>(resolve => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => resolve(undefined));
      lines.once("close", () => resolve(undefined));
    });
  } finally {
    lines.close();
    if (secret) output.write("\n");
  }
}
