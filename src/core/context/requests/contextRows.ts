/**
 * A request as people see it: its segments in strata, by turn, by tool and server, by file. Nothing is left out, nothing counted
 * twice: the tokens of all rows are those of the segments. Pure.
 */
import type { ContextRow, ContextView, PieceKind } from "../../../shared/contextProtocol";
import { defined } from "../../../shared/defined";
import { type ContextStratum, contextStrata, type Segment } from "../../../shared/manifest";
import { type StrataMessage, textOf } from "../../../shared/messages";
import { oneLine } from "../../ground/text/format";
import { isInstruction, isLedger, PLAN, START, sourceRules, sourceSkill } from "../../ground/text/sources";
import type { Conversation } from "../../log/conversation";
import type { ToolDefinition } from "../compose";
import { inHistory } from "../requestLog";

/** `value`: what it holds; needed of tools alone */
export interface ValuedSegment extends Segment {
  value?: unknown;
}

/** A row, and the places of the segments that it stands for; `names`: of the tools in them that are meant. */
export interface PlacedRow extends ContextRow {
  places: number[];
  names?: readonly string[];
}

type NewRow = Omit<PlacedRow, "places">;

const NAME = 200;
const SERVER = /^([^:]+):/;
const ATTACHMENT = "attachment:";

/** In their strata: turns from the newest on, behind them summaries and the ledger; everything else heaviest first. */
export function contextRows(
  segments: readonly ValuedSegment[],
  { messages, summaries }: Pick<Conversation, "messages" | "summaries">,
  /** when each compaction was done, by the summary that it made */
  made: ReadonlyMap<string, number> = new Map(),
): PlacedRow[] {
  const rows = new Map<string, PlacedRow>();
  const byId = new Map(messages.map(message => [message.id, message]));
  const titles = turnTitles(messages);
  let message: StrataMessage | undefined;
  let turn = 0;
  const add = (row: NewRow, place: number) => {
    const known = rows.get(row.key);
    if (!known) return void rows.set(row.key, { ...row, places: [place] });
    known.tokens += row.tokens;
    known.places.push(place);
    if (row.folded) known.folded = (known.folded ?? 0) + row.folded;
  };
  for (const [place, segment] of segments.entries()) {
    const { source, tokens, trust } = segment;
    if (source === "tools" || source === "tools:mcp") {
      for (const row of toolRows(segment)) add(row, place);
      continue;
    }
    if (!inHistory(segment)) {
      const { key = source, ...piece } = pieceOf(segment);
      const summary = summaries.find(({ id }) => source === `summary:${id}`);
      const about = summary && {
        from: summary.turns.from,
        turn: summary.turns.to,
        ...defined({ at: made.get(summary.id) }),
      };
      add({ key, ...piece, tokens, trust, ...about }, place);
      continue;
    }
    if (source.startsWith("message:")) message = byId.get(source.slice("message:".length));
    turn = message?.metadata?.turn ?? turn;
    const attached = message && attachedPiece(message);
    if (attached) add({ key: source, stratum: "rules", ...attached, tokens, trust, turn }, place);
    else
      add(
        {
          ...{ key: `turn:${turn}`, stratum: "conversation", kind: "turn", name: titles.get(turn) ?? "", tokens, turn },
          ...{ trust: "user", ...(segment.form === "folded" ? { folded: 1 } : {}) },
        },
        place,
      );
  }
  return [...rows.values()].sort(compareRows);
}

const rank = ({ kind }: ContextRow) => (kind === "turn" ? 0 : kind === "summary" ? 1 : 2);

function compareRows(a: ContextRow, b: ContextRow): number {
  if (a.stratum !== b.stratum) return contextStrata.indexOf(a.stratum) - contextStrata.indexOf(b.stratum);
  if (a.stratum === "conversation") return rank(a) - rank(b) || (b.turn ?? 0) - (a.turn ?? 0);
  return b.tokens - a.tokens;
}

/** Heaviest first; a stratum that holds nothing is left out. */
export function strataOf(rows: readonly ContextRow[]): ContextView["strata"] {
  const sums = new Map<ContextStratum, number>();
  for (const { stratum, tokens } of rows) sums.set(stratum, (sums.get(stratum) ?? 0) + tokens);
  return [...sums].map(([stratum, tokens]) => ({ stratum, tokens })).sort((a, b) => b.tokens - a.tokens);
}

/** The person's words that opened each turn. */
function turnTitles(messages: readonly StrataMessage[]): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { role, metadata, parts } of messages) {
    if (role !== "user" || metadata?.kind !== "normal" || titles.has(metadata.turn)) continue;
    const said = textOf(parts, " ");
    titles.set(metadata.turn, oneLine(said, NAME));
  }
  return titles;
}

/** What was attached to a message or brought by an instruction; undefined: it is part of the talk. */
function attachedPiece({
  parts: [first, ...more],
}: StrataMessage): (Pick<NewRow, "kind" | "name"> & Partial<Pick<NewRow, "key" | "stratum">>) | undefined {
  if (first?.type !== "data-reminder" || more.length > 0) return undefined;
  const { name } = first.data;
  if (name === START) return { key: "facts", stratum: "tools", kind: "facts", name: "" };
  if (name.startsWith(ATTACHMENT)) return { kind: "attachment", name: name.slice(ATTACHMENT.length) };
  const piece = name === PLAN || isInstruction(name) ? instruction(name) : undefined;
  return piece && { kind: piece.kind, name: piece.name };
}

/** What instructions are shown as. */
export function instruction(source: string): { kind: PieceKind; name: string } {
  if (source === PLAN) return { kind: "plan", name: "" };
  const [rules, skill] = [sourceRules(source), sourceSkill(source)];
  if (rules !== undefined) return { kind: "rules", name: rules };
  return skill === undefined
    ? { kind: "instructions", name: source.replace(/^\w+:/, "") }
    : { kind: "skill", name: skill };
}

/** What a segment is that is no message. */
export function pieceOf({ source, layer }: Segment): {
  key?: string;
  stratum: ContextStratum;
  kind: PieceKind;
  name: string;
} {
  if (layer === "tail") return { stratum: "tail", kind: "tail", name: source.replace(/^tail:/, "") };
  if (isLedger(source)) return { key: "ledger", stratum: "conversation", kind: "ledger", name: "" };
  if (source.startsWith("summary:")) return { stratum: "conversation", kind: "summary", name: "" };
  if (layer === "L2") return { stratum: "rules", ...instruction(source) };
  const kinds: Record<string, PieceKind> = { facts: "facts", skills: "skills", tools: "tools", "tools:mcp": "server" };
  return { stratum: "tools", kind: kinds[source] ?? "prompt", name: "" };
}

/** Ours one by one, those of servers together. The price of each is its share of the segment by the length of its text. */
function toolRows({ source, tokens, trust, value }: ValuedSegment): NewRow[] {
  // Written into the instructions, for a model that takes none, they are one text.
  const tools = Array.isArray(value) ? (value as ToolDefinition[]) : [];
  const isForeign = source !== "tools";
  const groups = Map.groupBy(tools, ({ name }) => (isForeign ? (SERVER.exec(name)?.[1] ?? name) : name));
  const sizes = [...groups.values()].map(group => group.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0));
  const shares = apportioned(tokens, sizes);
  const kind = isForeign ? "server" : "tool";
  if (groups.size === 0)
    return [{ key: source, stratum: "tools", kind: isForeign ? "server" : "tools", name: "", tokens, trust }];
  return [...groups].map(([name, group], at) => ({
    ...{ key: `${kind}:${name}`, stratum: "tools", kind, name, tokens: shares[at] ?? 0, trust },
    names: group.map(tool => tool.name),
    ...(isForeign ? { tools: group.length } : {}),
  }));
}

/** Whole numbers in proportion to `weights` that add up to `total`. */
function apportioned(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map(weight => Math.floor((total * weight) / Math.max(1, sum)));
  const rest = total - shares.reduce((all, share) => all + share, 0);
  return shares.map((share, at) => (at === 0 ? share + rest : share));
}
