/**
 * What programs really printed, recorded with their faults in small projects made for it, and what a person would have to see of each:
 * chosen before anybody looked at what is shown (matters.json, beside what they printed).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import matters from "../../../../fixtures/outputs/matters.json";
import type { Output } from "./kit";

/** @param root of the repository: tests run there */
export const recorded = (root: string): Output[] =>
  Object.entries(matters).map(([name, words]) => ({
    name,
    stdout: readFileSync(join(root, "test/fixtures/outputs", `${name}.txt`), "utf8"),
    matters: words,
  }));
