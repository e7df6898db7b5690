/** Clock, ids and hash of this machine. */
import { createHash, hash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Hash, Ids, RunningHash } from "../core/ground/ports";

export const nodeClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  after(ms, call, aside) {
    const timer = setTimeout(call, ms);
    if (aside) timer.unref();
    return () => clearTimeout(timer);
  },
};

export const nodeIds: Ids = {
  next(prefix) {
    const uuid = randomUUID();
    // 62 random bits: enough for one machine, and short in logs
    return `${prefix}_${uuid.slice(0, 8)}${uuid.slice(-8)}`;
  },
};

export const nodeHash: Hash = { sha256: data => hash("sha256", data, "hex") };

export function nodeRunningHash(): RunningHash {
  const running = createHash("sha256");
  return { update: data => void running.update(data), digest: () => running.digest("hex") };
}
