/** The crash proofs: processes that are killed, disks that lose power. They are no part of `npm run check`. */
import { mochaPart } from "../../scripts/lib/mocha.mjs";

/** @param {readonly string[]} files bundles of test/crashes @returns {import("../../scripts/lib/parts.mjs").Part[]} */
export function crashParts(files) {
  return [mochaPart("crashes", files, { weight: 1, jobs: 2, patient: true })];
}
