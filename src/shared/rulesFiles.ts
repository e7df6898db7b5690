/** The files in which people write rules for agents: read the same on this machine's disk and elsewhere (docs/context.md). */

/** Of each folder between a root and a file too, not of the root alone. */
const NESTED_RULES = "AGENTS.md";
/** Of a root, in their order, after its CODE_LAW.md. */
export const RULES_FILES = [NESTED_RULES, "CLAUDE.md", ".github/copilot-instructions.md", "Agent.md"];
/** The first of a root, whatever the case of its name. */
export const LAW_FILE = "CODE_LAW.md";
export const isLawFile = (name: string) => /^code_law\.md$/i.test(name);
/** What stands behind these in one file is left out. */
export const MAX_RULES_BYTES = 32 * 1024;

/**
 * The rules of the folders between a root and a file (a path below it), the nearest last. Not those of installed packages:
 * they are for the people who make them, and nobody of this project has read them.
 */
export function nestedRules(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  if (names.includes("node_modules")) return [];
  return names.map((_, depth) => [...names.slice(0, depth + 1), NESTED_RULES].join("/"));
}

/** A path below a root that `nestedRules` may give. */
export function isNestedRules(path: string): boolean {
  const parts = path.split("/");
  return parts.length > 1 && parts.at(-1) === NESTED_RULES && !parts.includes("..");
}
