/**
 * The soaks: what takes long by nature, or finds something only by many tries. `npm test` leaves it out or tries a little of it.
 * Tests name the soak that they belong to (test/fakes/soak.ts): by `soak("large", …)`, `isSoak("large")`, `cases(1000, "kills")`.
 */

export const soaks = {
  random: "all random cases, with other seeds each time",
  interleavings: "people, programs and agents at once, in Node and in VS Code, and saboteurs that have to be found",
  kills: "processes that are killed, disks that refuse or lose power: every moment, every call",
  large: "outputs, streams and files of 100 MB and more",
  marathons: "conversations of hundreds of steps, in every size of window and every language",
  expressions: "every regular expression of the product against texts that are made to hold it up",
  conformance: "the MCP conformance suite",
  looks: "pictures of every state in every theme, size and zoom",
  walks: "the walks through VS Code's page beyond the one of each feature",
  places: "what was tried in a repository, outside of one, in subfolders and on other disks",
};

/** @typedef {keyof typeof soaks} SoakName */

/**
 * Which soaks a test's source names.
 * @param {string} text
 * @returns {Set<string>}
 */
export function soaksOf(text) {
  const found = new Set();
  for (const [, call, args] of text.matchAll(/\b(soak|isSoak|cases)\(([^()]*)/g)) {
    const name = /"(\w+)"/.exec(args)?.[1];
    if (name && name in soaks) found.add(name);
    else if (call === "cases") found.add("random");
  }
  return found;
}
