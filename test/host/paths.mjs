import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";

/** Screenshots and logs of the tests (git ignores it). */
export const out = join(root, "test", "out");
mkdirSync(out, { recursive: true });
