/** Saves in the editor end, whatever the editor does. */
import assert from "node:assert/strict";
import { saveWithTimeout } from "../../src/vscode/platform/async";

describe("a save in the editor", () => {
  const check = (title: string, save: () => Promise<boolean>, expected: object) =>
    it(title, async () => assert.deepEqual(await saveWithTimeout(save, 20), expected));
  check("that ends", async () => true, { saved: true });
  check("that is refused", async () => false, { saved: false, why: "VS Code could not save it" });
  check("that fails", () => Promise.reject(new Error("no disk")), {
    saved: false,
    why: "VS Code could not save it (no disk)",
  });
  check("that hangs is not waited for", () => new Promise(() => undefined), {
    saved: false,
    why: "VS Code did not finish within 0.02 s",
  });
});
