/** `strata hooks`: which hooks there are, which of them would run at a moment, and a dry run of those. */

import type { Hook } from "../core/hooks/entry";
import { type HookFileView, type HooksView, hookFacts, matching, type Tried, triedLine } from "../core/hooks/report";
import { counted, oneLine } from "../core/text/format";
import { visibleLine, visibleText } from "../shared/shown";
import type { HooksCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";

interface HooksDeps {
  look(): Promise<HooksView>;
  /** Runs one; what it says goes nowhere else. */
  run(hook: Hook, fields: Record<string, unknown>): Promise<Tried>;
  streams: Pick<Output, "out" | "err">;
  /** absolute, '/' separators: where hooks start */
  folder: string;
}

/** @returns the exit code: of `check` 1 where something cannot be used */
export async function showHooks(command: HooksCommand, { look, run, streams, folder }: HooksDeps): Promise<number> {
  const view = await look();
  if (command.event === undefined) return list(command, view, streams);
  const found = matching(view, command.event, { tool: command.tool, input: command.fields, folder });
  if (found.length === 0) streams.err("No hook is for this.\n");
  for (const { hook, file } of found) {
    const state = stateOf(file);
    streams.out(
      command.json
        ? jsonLine({ ...plain(hook), state })
        : `${hookWords(hook)}  (${visibleLine(file.path)}, ${state})\n`,
    );
    if (command.fields === undefined) continue;
    if (state !== "runs")
      streams.err("  It is not run: see above. --trust is the agreement to this workspace's, for this run.\n");
    else tell(command, await run(hook, withTool(command)), streams);
  }
  return EXIT.done;
}

/** characters */
const MAX_SCRIPTS = 500;

const withTool = ({ tool, fields = {} }: HooksCommand) =>
  tool === undefined ? fields : { tool_name: tool, tool_input: fields };

function tell({ json }: HooksCommand, tried: Tried, { out }: Pick<Output, "out">): void {
  if (json) {
    out(jsonLine(tried));
    return;
  }
  out(`  ${visibleLine(oneLine(triedLine(tried), 2_000))}\n`);
  const printed = [tried.stdout, tried.stderr].map(text => text.trim()).filter(Boolean);
  for (const text of printed) out(`${visibleText(text.slice(0, 10_000)).replace(/^/gm, "    ")}\n`);
}

function list({ check, json }: HooksCommand, { files, broken }: HooksView, { out }: Pick<Output, "out">): number {
  const isBroken = broken.length > 0 || files.some(({ problems }) => problems.length > 0);
  const shown = files.map(file => ({
    path: file.path,
    state: stateOf(file),
    problems: file.problems,
    hooks: file.hooks.map(plain),
    scripts: file.scripts,
  }));
  if (json) out(jsonLine({ files: shown, broken }));
  else if (files.length + broken.length === 0) out("There are no hooks.\n");
  for (const file of json ? [] : files) {
    out(`${visibleLine(file.path)}  (${counted(file.hooks.length, "hook")}, ${stateOf(file)})\n`);
    for (const hook of file.hooks) out(`  ${hookWords(hook)}\n`);
    if (file.scripts.length > 0) out(`  with ${visibleLine(oneLine(file.scripts.join(", "), MAX_SCRIPTS))}\n`);
    for (const problem of file.problems) out(`  ! ${visibleLine(problem)}\n`);
  }
  for (const { path, problem } of json ? [] : broken) out(`${visibleLine(path)}\n  ! ${visibleLine(problem)}\n`);
  return check && isBroken ? EXIT.error : EXIT.done;
}

function stateOf({ waits, switchesOff }: HookFileView): string {
  if (switchesOff) return "switched off";
  return waits ? "not agreed to: does not run" : "runs";
}

function plain(hook: Hook) {
  const { event, matcher, command, timeoutMs } = hook;
  const facts = hookFacts(hook);
  return { event, matcher, command, timeoutMs, ...(facts.length > 0 && { facts }) };
}

function hookWords(hook: Hook): string {
  const { event, matcher, command } = hook;
  const facts = hookFacts(hook).map(fact => ` [${visibleLine(fact)}]`);
  return `${event}${matcher === "" ? "" : ` ${visibleLine(matcher)}`}${facts.join("")}: ${visibleLine(command)}`;
}
