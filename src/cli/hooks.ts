/** Hooks in the terminal, for `strata hooks`. */
import { lookAtHooks } from "../core/guidance/hooks/report";
import { NodeFiles } from "../node/files";
import { NodeHooks } from "../node/hooks";
import { nodeHash } from "../node/system";
import type { HooksCommand } from "../terminal/args";
import { showHooks } from "../terminal/hooks";
import { createLogger, instructionPlaces, readSettings, type SessionPlace } from "./place";
import { createSandbox } from "./sandbox";

export async function withHooks(command: HooksCommand, place: SessionPlace): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const logger = createLogger(storageDir);
  const { trust } = command;
  // Whoever asks here sees them all; a workspace's run by an agreement only, or with --trust.
  const places = instructionPlaces(new NodeFiles([workspace]), { logger, trusted: () => true });
  const settings = readSettings(place, {}, trust);
  const { sandbox } = await createSandbox(place, settings);
  const hooks = new NodeHooks({ ...places, sandbox });
  if (trust) await agreeForNow(hooks);
  return showHooks(command, { hooks, hash: nodeHash, streams });
}

/** `--trust`: to what the workspace has now. What the agent makes of it later is asked about. */
export async function agreeForNow(hooks: NodeHooks): Promise<void> {
  for (const { key } of (await lookAtHooks(hooks, nodeHash)).files) if (key !== undefined) hooks.agreeForNow(key);
}
