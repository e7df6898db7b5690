/** `strata skills`: which skills and prompts a workspace has, and what is wrong with them; nothing runs. */

import type { Hash, Skills } from "../core/ports";
import { KnownSkills } from "../core/skills/knownSkills";
import { skillSections } from "../core/skills/report";
import { visibleLine } from "../shared/shown";
import type { SkillsCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";

interface SkillsDeps {
  skills: Skills;
  hash: Hash;
  streams: Pick<Output, "out" | "err">;
}

/** @returns the exit code: of `check` 1 where one cannot be used, or is odd */
export async function showSkills(
  { check, json }: SkillsCommand,
  { skills, hash, streams }: SkillsDeps,
): Promise<number> {
  const set = await new KnownSkills(skills, hash).read();
  const sections = skillSections(set);
  const isOdd = set.broken.length > 0 || [...set.skills, ...set.prompts].some(({ warnings }) => warnings.length > 0);
  if (json) streams.out(jsonLine({ sections }));
  else if (sections.length === 0) streams.out("There are no skills and no prompts.\n");
  for (const { title, lines } of json ? [] : sections) {
    streams.out(`${title}\n`);
    for (const { label, from, detail, warnings } of lines) {
      streams.out(`  ${visibleLine(label)}${from === undefined ? "" : `  (${visibleLine(from)})`}\n`);
      for (const words of [detail, ...warnings.map(warning => `! ${warning}`)].filter(Boolean))
        streams.out(`    ${visibleLine(words)}\n`);
    }
  }
  return check && isOdd ? EXIT.error : EXIT.done;
}
