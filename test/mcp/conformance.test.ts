/** The package that checks clients, with the terminal program: a part of its scenarios. `npm run conformance` tries all. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { builtProduct } from "../../scripts/lib/product.mjs";
import { soak } from "../fakes/soak";

const scenarios = [
  ...["initialize", "tools_call", "sse-retry"],
  ...["auth/metadata-default", "auth/scope-step-up", "auth/scope-retry-limit", "auth/resource-mismatch"],
  "auth/pre-registration",
];

soak("conformance", () => {
  describe("MCP conformance", function () {
    this.timeout(300_000);
    it("a client's scenarios pass, with signing in, a step up and a wrong resource among them", async () => {
      const env = { ...process.env, STRATA_PROGRAM: join(await builtProduct(), "cli/main.js") };
      const script = join(process.cwd(), "scripts/conformance.mjs");
      const { stdout } = await promisify(execFile)(process.execPath, [script, ...scenarios], { env });
      assert.equal(stdout.match(/^✓ \S+: passed/gm)?.length, scenarios.length, stdout);
    });
  });
});
