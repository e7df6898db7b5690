import { createHash } from "node:crypto";
import type { Hash, RunningHash } from "../../src/core/ground/ports";

/** The real thing: a fake hash would hide mistakes about what is hashed. */
export const hash: Hash = {
  sha256: data => createHash("sha256").update(data).digest("hex"),
};

export function runningHash(): RunningHash {
  const running = createHash("sha256");
  return { update: data => void running.update(data), digest: () => running.digest("hex") };
}
