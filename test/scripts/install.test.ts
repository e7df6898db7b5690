import assert from "node:assert/strict";
import { installArguments } from "../../scripts/lib/install.mjs";

describe("installing the dependencies", () => {
  const check = (fresh: boolean, expected: string[]) => {
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    assert.deepEqual(installArguments(fresh), [...expected, ...quiet]);
  };

  it("takes development dependencies too, whatever NODE_ENV says", () => {
    check(true, ["ci", "--include=dev"]);
    check(false, ["install", "--no-save", "--include=dev"]);
  });
});
