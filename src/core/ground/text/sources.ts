/** What injected texts and segments are named by: their source, for manifests and people, and what a source says of a segment. */
import type { Segment } from "../../../shared/manifest";

const RULES = "rules:";
const SKILL = "skill:";
const LEDGER = "ledger:";
const ASKED = "ledger:asked:";

export const rulesSource = (path: string): string => `${RULES}${path}`;
export const skillSource = (name: string): string => `${SKILL}${name}`;
/** the plan that is carried out: injected where it was approved, in L2 after a compaction */
export const PLAN = "plan";
/** a page of what people said in turns that left */
export const ledgerSource = (id: string): string => `${LEDGER}${id}`;
/** the questions that words on such a page answer */
export const askedSource = (id: string): string => `${ASKED}${id}`;
/** Either of them. */
export const isLedger = (source: string): boolean => source.startsWith(LEDGER);
/** Said by a hook at this moment. */
export const hookSource = (event: string): string => `hook:${event}`;
export const isHook = (source: string): boolean => source.startsWith("hook:");
/** where the session begins: the day, the branch, what lies at the top of the workspace */
export const START = "facts:start";
export const promptSource = (path: string): string => `prompt:${path}`;

/** The path of the rules; undefined: it is the source of something else. */
export const sourceRules = (source: string): string | undefined => rest(source, RULES);
/** The name of the skill; undefined: it is the source of something else. */
export const sourceSkill = (source: string): string | undefined => rest(source, SKILL);

/** Whether a person wrote it for agents. */
export const isInstruction = (source: string): boolean => /^(?:rules|skill|prompt):/.test(source);

const rest = (source: string, prefix: string) => (source.startsWith(prefix) ? source.slice(prefix.length) : undefined);

/** What a source says of a segment. Of several the first is meant where nothing else is said. */
export interface SegmentKind {
  layer: Segment["layer"];
  roles: [Segment["role"], ...Segment["role"][]];
  trusts: [Segment["trust"], ...Segment["trust"][]];
}

/** The first that fits. What is said of messages and results is in their records. */
const segmentKinds: [RegExp, SegmentKind][] = [
  [/^tools$/, { layer: "L1", roles: ["tools", "system"], trusts: ["strata"] }],
  [/^tools:mcp$/, { layer: "L1", roles: ["tools", "system"], trusts: ["mcp"] }],
  [/^skills$/, { layer: "L1", roles: ["system"], trusts: ["rules"] }],
  [/^(?:rules|skill):/, { layer: "L2", roles: ["system"], trusts: ["rules", "user"] }],
  [/^plan$/, { layer: "L2", roles: ["system"], trusts: ["user"] }],
  [/^ledger:asked:/, { layer: "L3", roles: ["user"], trusts: ["model"] }],
  [/^ledger:/, { layer: "L3", roles: ["user"], trusts: ["user"] }],
  [/^summary:/, { layer: "L3", roles: ["system"], trusts: ["model"] }],
  [/^tail:earlier$/, { layer: "tail", roles: ["user"], trusts: ["tool"] }],
  [/^(?:tail:|prompt:summary$)/, { layer: "tail", roles: ["user"], trusts: ["strata"] }],
  [/^(?:facts$|prompt:)/, { layer: "L1", roles: ["system"], trusts: ["strata"] }],
  [/^(?:title|commit-message|rules):text$/, { layer: "turn", roles: ["user"], trusts: ["user"] }],
];

/** undefined: a message, a result or an unknown source. */
export const segmentKind = (source: string) => segmentKinds.find(([pattern]) => pattern.test(source))?.[1];
