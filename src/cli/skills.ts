/** `strata skills`. */

import { KnownSkills } from "../core/guidance/skills/knownSkills";
import { skillsReport } from "../core/guidance/skills/report";
import { NodeFiles } from "../node/files";
import { NodeSkills } from "../node/skills";
import { nodeHash } from "../node/system";
import type { CommandOf } from "../terminal/args";
import { EXIT, jsonLine, printReport } from "../terminal/output";
import { createLogger, instructionPlaces, type SessionPlace } from "./place";

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
