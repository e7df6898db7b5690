/** Hooks of files that a test wrote down; their commands are played by the scripted shell. */
import type { HookFile, Hooks } from "../../src/core/ground/ports";
import type { ShellScript } from "./shell";

interface Entry {
  event: string;
  matcher?: string;
  command: string;
}

/** @param folder absent: they are the person's own */
export function hookFile(entries: readonly Entry[], folder?: string): HookFile {
  const hooks = Object.fromEntries(
    entries.map(({ event }) => [
      event,
      entries
        .filter(entry => entry.event === event)
        .map(({ matcher, command }) => ({ matcher, hooks: [{ type: "command", command }] })),
    ]),
  );
  const path = folder === undefined ? "~/.claude/settings.json" : ".claude/settings.json";
  return { path, text: JSON.stringify({ hooks }), ...(folder !== undefined && { folder }) };
}

/** Whatever a workspace has is agreed to. */
export function agreedHooks(...files: HookFile[]): Hooks {
  return {
    read: async () => ({ files, broken: [] }),
    fingerprint: async () => ({ fingerprint: "", names: [], scripts: [] }),
    hasAgreed: async () => true,
    agree: async () => undefined,
    withdraw: async () => undefined,
  };
}

export const prints = (output: unknown): ShellScript => ({
  output: [["stdout", typeof output === "string" ? output : JSON.stringify(output)]],
});
export const refuses = (why: string): ShellScript => ({ output: [["stderr", why]], exitCode: 2 });
