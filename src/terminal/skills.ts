/** `strata skills`: which skills and prompts a workspace has, and what is wrong with them; nothing runs. */

import type { Hash, Skills } from "../core/ground/ports";
import { KnownSkills } from "../core/guidance/skills/knownSkills";
import { skillsReport } from "../core/guidance/skills/report";
import type { SkillsCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";
import { printReport } from "./report";

interface SkillsDeps {
  skills: Skills;
  hash: Hash;
  streams: Output;
}

/** @returns the exit code: of `check` 1 where one cannot be used, or is odd */
export async function showSkills(
  { check, json }: SkillsCommand,
  { skills, hash, streams }: SkillsDeps,
): Promise<number> {
  const set = await new KnownSkills(skills, hash).read();
  const report = skillsReport(set);
  const isOdd = set.broken.length > 0 || [...set.skills, ...set.prompts].some(({ warnings }) => warnings.length > 0);
  if (json) streams.out(jsonLine({ sections: report.sections }));
  else printReport(report, streams);
  return check && isOdd ? EXIT.error : EXIT.done;
}
