/** `strata skills` and `strata hooks`. */

import type { Hook } from "../core/guidance/hooks/entry";
import { hookFacts, hooksReport, hooksState, lookAtHooks } from "../core/guidance/hooks/report";
import { KnownSkills, skillsReport } from "../core/guidance/skills/knownSkills";
import { NodeFiles } from "../node/files";
import { NodeHooks } from "../node/hooks";
import { NodeSkills } from "../node/skills";
import { nodeHash } from "../node/system";
import type { CommandOf } from "../terminal/args";
import { EXIT, jsonLine, printReport } from "../terminal/output";
import { createLogger, instructionPlaces, readSettings, type SessionPlace } from "./place";
import { createSandbox } from "./sandbox";

/** @returns the exit code: of `check` 1 where something cannot be used */
export async function withHooks({ trust, check, json }: CommandOf<"hooks">, place: SessionPlace): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const logger = createLogger(storageDir);
  // Trust is not needed: they are listed; they run by an agreement or --trust.
  const places = instructionPlaces(new NodeFiles([workspace]), { logger, trusted: () => true });
  const settings = readSettings(place, {}, trust);
  const { sandbox } = await createSandbox(place, settings);
  const hooks = new NodeHooks({ ...places, sandbox });
  if (trust) await agreeForNow(hooks);
  const view = await lookAtHooks(hooks, nodeHash);
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

/** `--trust`: to what the workspace has now. What the agent makes of it later is asked about. */
export async function agreeForNow(hooks: NodeHooks): Promise<void> {
  for (const { key } of (await lookAtHooks(hooks, nodeHash)).files) if (key !== undefined) hooks.agreeForNow(key);
}

function plain(hook: Hook) {
  const { event, matcher, command, timeoutMs } = hook;
  const facts = hookFacts(hook);
  return { event, matcher, command, timeoutMs, ...(facts.length > 0 && { facts }) };
}

/** @returns the exit code: of `check` 1 where one cannot be used, or is odd */
export async function withSkills(
  { check, json }: CommandOf<"skills">,
  { workspace, storageDir, streams }: SessionPlace,
): Promise<number> {
  const logger = createLogger(storageDir);
  // Trust is not needed: they are listed, not used.
  const skills = new NodeSkills(instructionPlaces(new NodeFiles([workspace]), { logger, trusted: () => true }));
  const set = await new KnownSkills(skills, nodeHash).read();
  const report = skillsReport(set);
  const isOdd = set.broken.length > 0 || [...set.skills, ...set.prompts].some(({ warnings }) => warnings.length > 0);
  if (json) streams.out(jsonLine({ sections: report.sections }));
  else printReport(report, streams);
  return check && isOdd ? EXIT.error : EXIT.done;
}
