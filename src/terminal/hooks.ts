/** `strata hooks`: which hooks there are, and what of them is broken. */

import type { Hash, Hooks } from "../core/ground/ports";
import type { Hook } from "../core/guidance/hooks/entry";
import { hookFacts, hooksReport, hooksState, lookAtHooks } from "../core/guidance/hooks/report";
import type { HooksCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";
import { printReport } from "./report";

interface HooksDeps {
  hooks: Hooks;
  hash: Hash;
  streams: Output;
}

/** @returns the exit code: of `check` 1 where something cannot be used */
export async function showHooks({ check, json }: HooksCommand, { hooks, hash, streams }: HooksDeps): Promise<number> {
  const view = await lookAtHooks(hooks, hash);
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
