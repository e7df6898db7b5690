/** `strata skills`. */
import { NodeFiles } from "../node/files";
import { NodeSkills } from "../node/skills";
import { nodeHash } from "../node/system";
import type { SkillsCommand } from "../terminal/args";
import { showSkills } from "../terminal/skills";
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
