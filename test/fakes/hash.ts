import { createHash } from "node:crypto";
import type { Hash } from "../../src/core/ports";

/** The real thing: a fake hash would hide mistakes about what is hashed. */
export const hash: Hash = {
  sha256: data => createHash("sha256").update(data).digest("hex"),
};
