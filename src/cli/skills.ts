/** `strata skills`. */

import type { Hash, Skills } from "../core/ground/ports";
import { KnownSkills } from "../core/guidance/skills/knownSkills";
import { skillsReport } from "../core/guidance/skills/report";
import { NodeFiles } from "../node/files";
import { NodeSkills } from "../node/skills";
import { nodeHash } from "../node/system";
import type { SkillsCommand } from "../terminal/args";
import { EXIT, jsonLine, type Output, printReport } from "../terminal/output";
import { createLogger, instructionPlaces, type SessionPlace } from "./place";

export async function withSkills(
  command: SkillsCommand,
  { workspace, storageDir, streams }: SessionPlace,
): Promise<number> {
  const logger = createLogger(storageDir);
  // Whoever asks here sees them: nothing of them is used.
  const skills = new NodeSkills(instructionPlaces(new NodeFiles([workspace]), { logger, trusted: () => true }));
  return showSkills(command, { skills, hash: nodeHash, streams });
}

interface SkillsDeps {
  skills: Skills;
  hash: Hash;
  streams: Output;
}

/** @returns the exit code: of `check` 1 where one cannot be used, or is odd */
async function showSkills({ check, json }: SkillsCommand, { skills, hash, streams }: SkillsDeps): Promise<number> {
  const set = await new KnownSkills(skills, hash).read();
  const report = skillsReport(set);
  const isOdd = set.broken.length > 0 || [...set.skills, ...set.prompts].some(({ warnings }) => warnings.length > 0);
  if (json) streams.out(jsonLine({ sections: report.sections }));
  else printReport(report, streams);
  return check && isOdd ? EXIT.error : EXIT.done;
}
