/** `strata hooks`: which hooks there are, which of them would run at a moment, and a dry run of those. */

import type { Hook } from "../core/guidance/hooks/entry";
import {
  type HooksView,
  type HookTrial,
  hookFacts,
  hooksReport,
  hooksState,
  matching,
  triedReport,
} from "../core/guidance/hooks/report";
import { t } from "../shared/l10n";
import type { HooksCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";
import { printReport } from "./report";

interface HooksDeps {
  look(): Promise<HooksView>;
  /** Runs one; what it says goes nowhere else. */
  run(hook: Hook, fields: Record<string, unknown>): Promise<HookTrial>;
  streams: Output;
  /** absolute, '/' separators: where hooks start */
  folder: string;
}

/** @returns the exit code: of `check` 1 where something cannot be used */
export async function showHooks(command: HooksCommand, { look, run, streams, folder }: HooksDeps): Promise<number> {
  const view = await look();
  if (command.event === undefined) return list(command, view, streams);
  const found = matching(view, command.event, { tool: command.tool, input: command.fields, folder });
  if (found.length === 0) streams.err(t("No hook runs then.\n"));
  for (const one of found) {
    const state = hooksState(one.file);
    const runs = command.fields !== undefined && state === "runs";
    if (command.json) streams.out(jsonLine({ ...plain(one.hook), state }));
    const tried = runs ? await run(one.hook, withTool(command)) : undefined;
    if (!command.json) printReport(triedReport(one, tried), streams);
    else if (tried) streams.out(jsonLine(tried));
    if (command.fields !== undefined && !runs)
      streams.err(t("  It does not run: see above. --trust approves this workspace's hooks for this run.\n"));
  }
  return EXIT.done;
}

const withTool = ({ tool, fields = {} }: HooksCommand) =>
  tool === undefined ? fields : { tool_name: tool, tool_input: fields };

function list({ check, json }: HooksCommand, view: HooksView, streams: Output): number {
  const { files, broken } = view;
  const isBroken = broken.length > 0 || files.some(({ problems }) => problems.length > 0);
  const shown = files.map(file => ({
    path: file.path,
    state: hooksState(file),
    problems: file.problems,
    hooks: file.hooks.map(plain),
    scripts: file.scripts,
  }));
  if (json) streams.out(jsonLine({ files: shown, broken }));
  else printReport(hooksReport(view), streams);
  return check && isBroken ? EXIT.error : EXIT.done;
}

function plain(hook: Hook) {
  const { event, matcher, command, timeoutMs } = hook;
  const facts = hookFacts(hook);
  return { event, matcher, command, timeoutMs, ...(facts.length > 0 && { facts }) };
}
