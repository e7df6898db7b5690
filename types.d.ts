/** Prompts are text files that the bundler inlines (`loader: { ".md": "text" }`). */
declare module "*.md" {
  const text: string;
  export default text;
}

/** The same as Node's own, and starts `npx.cmd` on Windows too. */
declare module "cross-spawn" {
  import type { spawn } from "node:child_process";

  const crossSpawn: typeof spawn;
  export default crossSpawn;
}

/** Windows and prices of models, as JSON (scripts/lib/modelData.mjs): the bundler makes it. */
declare module "#model-data" {
  const json: string;
  export default json;
}
