/** What happens in a run, from its seed alone: the file, who does what, and how long each waits before it. Pure. */
import { Random } from "../../fakes/random";

export type UserOp = "type" | "insertLine" | "deleteLine" | "undo" | "redo" | "save" | "revert" | "open" | "close";
export type OutsideOp = "write" | "checkout" | "stash" | "touch" | "delete" | "rename";
/**
 * Of what the first agent did: a change is taken back or kept, or all of them are taken back; or the file goes back to before the
 * turn, and from there to where it was.
 */
export type ReviewOp = "undoChange" | "keepChange" | "undoFile" | "rewind" | "undoRewind";
export type AgentOp = "Read" | "Edit" | "MultiEdit" | "Write";

export interface Step<Op extends string> {
  /** ms before it; 0: at once, with whatever else is under way */
  wait: number;
  op: Op;
  /** seed of what it decides when it happens */
  dice: number;
}

export interface Plan {
  seed: number;
  /** of the file, below the workspace's folder */
  path: string;
  text: string;
  /** `strata.edits.save` */
  save: boolean;
  mode: "ask" | "edits";
  user: Step<UserOp>[];
  outside: Step<OutsideOp>[];
  /** a session each, at most two */
  agents: Step<AgentOp>[][];
  /** seed of the answers to questions */
  answers: number;
  reviews: Step<ReviewOp>[];
}

/** Waits are short, so that what several do falls into each other. */
const MOST_WAIT_MS = 25;

const weights = {
  user: { type: 10, insertLine: 3, deleteLine: 1, undo: 2, redo: 1, save: 3, revert: 0.6, open: 0.5, close: 0.2 },
  outside: { write: 5, checkout: 2, stash: 0.4, touch: 1, delete: 0.3, rename: 0.2 },
  agent: { Read: 1, Edit: 6, MultiEdit: 2, Write: 2 },
  review: { undoChange: 5, keepChange: 2, undoFile: 1, rewind: 2, undoRewind: 1.5 },
} satisfies {
  user: Record<UserOp, number>;
  outside: Record<OutsideOp, number>;
  agent: Record<AgentOp, number>;
  review: Record<ReviewOp, number>;
};

/** Reviews have chance of their own: with them or without, everybody else does the same. */
const REVIEWS = 0x2e71e3;

/** @param prefix of the file's name: the same seed may be played more than once */
export function planOf(seed: number, prefix = ""): Plan {
  const random = new Random(seed);
  const steps = <Op extends string>(from: number, to: number, of: Record<Op, number>): Step<Op>[] =>
    Array.from({ length: random.int(from, to) }, () => step(random, random.weighted(of)));
  const isOpen = random.chance(0.75);
  const user = random.chance(0.9) ? steps(3, 9, weights.user) : [];
  const ofReviews = new Random(seed ^ REVIEWS);
  const reviews = Array.from({ length: Math.max(0, ofReviews.int(-2, 4)) }, () =>
    step(ofReviews, ofReviews.weighted(weights.review)),
  );
  return {
    seed,
    path: `${prefix}${seed}.${random.chance(0.3) ? "formatted" : "txt"}`,
    text: textOf(random),
    save: random.chance(0.8),
    mode: random.chance(0.5) ? "ask" : "edits",
    user: isOpen ? [{ wait: 0, op: "open", dice: 0 }, ...user] : user,
    outside: random.chance(0.5) ? steps(1, 3, weights.outside) : [],
    agents: Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => steps(2, 4, weights.agent)),
    answers: random.int(0, 0xffffffff),
    reviews,
  };
}

const step = <Op extends string>(random: Random, op: Op): Step<Op> => ({
  wait: random.chance(0.4) ? 0 : random.int(1, MOST_WAIT_MS),
  op,
  dice: random.int(0, 0xffffffff),
});

/** Lines that can be told apart, but for some that repeat, as in code. */
function textOf(random: Random): string {
  const words = ["alpha", "beta", "gamma", "delta", "größe"];
  const lines = Array.from({ length: random.int(4, 24) }, (_, index) =>
    random.chance(0.15) ? random.pick(["", "}", "  }"]) : `line ${index} ${random.pick(words)} ${random.pick(words)}`,
  );
  const lineEnd = random.chance(0.25) ? "\r\n" : "\n";
  return lines.join(lineEnd) + (random.chance(0.75) ? lineEnd : "");
}

/** What a failing run is told by. */
export function planText(plan: Plan): string {
  const steps = (who: string, of: readonly Step<string>[]) =>
    `  ${who}: ${of.map(({ wait, op }) => (wait ? `${wait} ms, ${op}` : op)).join("; ") || "nothing"}`;
  return [
    `seed ${plan.seed}, ${plan.path}, mode ${plan.mode}, edits ${plan.save ? "saved" : "not saved"}, ${JSON.stringify(plan.text)}`,
    steps("user", plan.user),
    steps("outside", plan.outside),
    steps("review", plan.reviews),
    ...plan.agents.map((agent, index) => steps(`agent ${index}`, agent)),
  ].join("\n");
}
