/** The list of sessions in groups, the most urgent first. */
import type { DeletedSummary, SessionHit, SessionSummary } from "../../../src/shared/sessionsProtocol";

export type SessionGroupName = "waiting" | "running" | "pinned" | "today" | "older" | "deleted";

/** A line of the list. */
export type SessionLine =
  | { kind: "group"; key: string; group: SessionGroupName; size: number; open: boolean }
  | { kind: "session"; key: string; session: SessionSummary; hit?: SessionHit["line"] }
  | { kind: "deleted"; key: string; deleted: DeletedSummary };

interface ListedSessions {
  sessions: readonly SessionSummary[];
  deleted: readonly DeletedSummary[];
  /** ids of those that wait for the person */
  waiting: readonly string[];
}

/** Groups that can be closed, and whether they begin so. */
const closedAtFirst: Readonly<Partial<Record<SessionGroupName, true>>> = { older: true, deleted: true };

/** @param toggled groups that a person opened or closed */
export function sessionLines(
  { sessions, deleted, waiting }: ListedSessions,
  toggled: ReadonlySet<SessionGroupName>,
  now: number,
): SessionLine[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groupOf = (session: SessionSummary): SessionGroupName => {
    if (waiting.includes(session.id)) return "waiting";
    if (session.running || session.tasks) return "running";
    if (session.pinned) return "pinned";
    return session.updated >= midnight ? "today" : "older";
  };
  const groups = Map.groupBy(sessions, groupOf);
  // A single group is open.
  const isAlone = groups.size === 1;
  const lines: SessionLine[] = [];
  const add = (group: SessionGroupName, rows: readonly SessionLine[]) => {
    if (rows.length === 0) return;
    const begins = closedAtFirst[group] === true && !(isAlone && group === "older");
    const open = begins ? toggled.has(group) : !toggled.has(group);
    lines.push({ kind: "group", key: `group ${group}`, group, size: rows.length, open });
    if (open) lines.push(...rows);
  };
  const rowOf = (session: SessionSummary): SessionLine => ({ kind: "session", key: session.id, session });
  for (const group of ["waiting", "running", "pinned", "today", "older"] as const)
    add(group, (groups.get(group) ?? []).map(rowOf));
  const gone = deleted.map((each): SessionLine => ({ kind: "deleted", key: each.key, deleted: each }));
  add("deleted", gone);
  return lines;
}

/** What a search found, in its order; sessions that are gone meanwhile are left out. */
export function foundLines(hits: readonly SessionHit[], sessions: readonly SessionSummary[]): SessionLine[] {
  const byId = new Map(sessions.map(session => [session.id, session]));
  return hits.flatMap(({ id, line }): SessionLine[] => {
    const session = byId.get(id);
    return session ? [{ kind: "session", key: id, session, ...(line && { hit: line }) }] : [];
  });
}

/** A line cut where the words of a search stand in it. */
export function markedPieces(text: string, query: string): { text: string; matched: boolean }[] {
  const words = query.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, matched: false }];
  const any = new RegExp(`(${words.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})`, "giu");
  return text.split(any).flatMap((piece, at) => (piece === "" ? [] : { text: piece, matched: at % 2 === 1 }));
}
