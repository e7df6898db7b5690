/** The files in which people write rules for agents: read the same on this machine's disk and elsewhere (docs/context.md). */

/** Of each folder between a root and a file too, not of the root alone. */
export const NESTED_RULES = "AGENTS.md";
/** Of a root, in their order, after its CODE_LAW.md. */
export const RULES_FILES = [NESTED_RULES, "CLAUDE.md", ".github/copilot-instructions.md", "Agent.md"];
/** Whatever the case of its name. */
export const isLawFile = (name: string) => /^code_law\.md$/i.test(name);
/** What stands behind these in one file is left out. */
export const MAX_RULES_BYTES = 32 * 1024;
