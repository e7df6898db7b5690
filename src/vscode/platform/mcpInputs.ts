/** What MCP servers need from the person, asked once and kept in the secret storage. */
import * as vscode from "vscode";
import { choose } from "./messages";
import { messageText } from "./messageText";

/** What is asked for: src/mcp has it in the server's configuration. */
interface Asked {
  id: string;
  description: string;
  secret: boolean;
  options?: readonly string[];
  default?: string;
}

type Storage = Pick<vscode.SecretStorage, "get" | "store">;

/**
 * @param learn told each value, so that it is kept from the model
 * @returns rejects where the person does not answer
 */
export function askedInputs(secrets: Storage, learn: (value: string) => void) {
  return async (asked: Asked, { name, origin }: { name: string; origin: { file: string } }): Promise<string> => {
    const key = `strata.mcp.input:${asked.id}@${origin.file}`;
    const kept = await secrets.get(key);
    const value = kept ?? (await ask(asked, name));
    if (value === undefined) throw new Error(`The server ${name} needs "${asked.description}", and it was not given.`);
    if (kept === undefined) await secrets.store(key, value);
    if (asked.secret) learn(value);
    return value;
  };
}

async function ask(
  { description, secret, options, default: value }: Asked,
  server: string,
): Promise<string | undefined> {
  const title = messageText(`MCP server ${server}`);
  const text = messageText(description);
  if (options) {
    const items = options.map(option => ({ option, label: option }));
    return (await choose(items, { title, placeHolder: text, ignoreFocusOut: true }))?.option;
  }
  return vscode.window.showInputBox({
    title,
    prompt: text,
    password: secret,
    ignoreFocusOut: true,
    ...(value !== undefined && { value }),
  });
}
