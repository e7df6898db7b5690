/** Clock, ids and hash of this machine. */
import { createHash, randomUUID } from "node:crypto";
import type { Clock, Hash, Ids, RunningHash } from "../core/ports";

export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

export const nodeIds: Ids = {
  next(prefix) {
    const uuid = randomUUID();
    // 62 random bits: enough for one machine, and short in logs
    return `${prefix}_${uuid.slice(0, 8)}${uuid.slice(-8)}`;
  },
};

export const nodeHash: Hash = {
  sha256: data => createHash("sha256").update(data).digest("hex"),
};

export function nodeRunningHash(): RunningHash {
  const hash = createHash("sha256");
  return { update: data => void hash.update(data), digest: () => hash.digest("hex") };
}
