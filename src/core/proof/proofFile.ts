/**
 * The file of `strata proof` (docs/proofs.md): sealed, read again, held against itself and against a log. It proves order and
 * wholeness, not that the machine was honest.
 */
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { type ProofFacts, type ProofFile, proofSchema } from "../../shared/proofFile";
import type { LogRecord } from "../../shared/records";
import { type CallerFiles, type Hash, SessionError, type SessionTextReader } from "../ground/ports";
import { isArchiveName } from "../ground/ports/storage";
import { decodeLog, decodeUtf8, mergeLogs } from "../log/codec";
import { childrenOf } from "../log/readLog";
import { proofFacts } from "./runFacts";

/** A session's log with its archives. */
interface ProvenLog {
  session: string;
  records: readonly LogRecord[];
  /** "kind sha256" of each, from number 1 */
  lines: string[];
}

/** Rejects with StorageError, NewerLogError, NotALogError, and with SessionError where records are missing. */
export async function readProvenLog(files: SessionTextReader, hash: Hash): Promise<ProvenLog> {
  const live = (await files.read("history.jsonl")) ?? "";
  const { header } = decodeLog(live);
  const archives = await Promise.all(header.archives.map(name => (isArchiveName(name) ? files.read(name) : "")));
  const texts = mergeLogs(...archives.map(text => text ?? ""), live);
  const { records } = decodeLog(`${JSON.stringify(header)}\n${texts.join("")}`);
  const lines = texts.map((line, at) => {
    const { seq, kind } = (parseJson(line) ?? {}) as { seq?: unknown; kind?: unknown };
    if (seq === at + 1) return `${kind} ${hash.sha256(line)}`;
    throw new SessionError(
      t(
        "Record {0} of the log is missing or damaged, so nothing is proven. strata verify {1} says more.",
        at + 1,
        header.sessionId,
      ),
    );
  });
  return { session: header.sessionId, records, lines };
}

/** The logs of agents below a session. Rejects as `readProvenLog`. */
export async function provenAgents(files: CallerFiles, hash: Hash, place = "") {
  const agents: NonNullable<ProofFile["agents"]> = [];
  for await (const child of childrenOf(files)) {
    const id = `${place}${child.id}`;
    const { lines } = await readProvenLog(child, hash);
    agents.push({ id, records: lines.length, head: chainOf([id], lines, hash) });
    agents.push(...(await provenAgents(child, hash, `${id}/`)));
  }
  return agents;
}

/** `text`: the file's. @param proof keys in the order of their schema */
export function sealProof(proof: Omit<ProofFile, "head" | "seal">, hash: Hash): { text: string; seal: string } {
  const open = { ...proof, head: chainHead(proof, hash), seal: "" };
  const seal = hash.sha256(JSON.stringify(open));
  return { text: fileText({ ...open, seal }), seal };
}

const fileText = (proof: ProofFile): string => `${JSON.stringify(proof, null, 1)}\n`;

type ProvenCommand = ProofFacts["commands"][number];

const chainHead = ({ session, facts, records }: Omit<ProofFile, "head" | "seal">, hash: Hash): string =>
  chainOf([session, facts], records, hash);

const chainOf = (first: unknown[], lines: readonly string[], hash: Hash): string =>
  lines.reduce((before, line) => hash.sha256(`${before}\n${line}`), hash.sha256(JSON.stringify(first)));

/** Rejects all that is not as it was written but for its hashes. @throws SessionError */
export function readProof(path: string, bytes: Uint8Array): ProofFile {
  const text = decodeUtf8(bytes) ?? "";
  const { data } = proofSchema.safeParse(parseJson(text));
  if (data && fileText(data) === text) return data;
  throw new SessionError(
    t(
      "{0} is no proof that can be read: it is another file, was changed or cut off, or a newer Strata wrote it.",
      path,
    ),
  );
}

/** One thing that was looked at. `text`: what holds, or does not */
export interface ProofCheck {
  what: "seal" | "chain" | "agents" | "command" | "decisions" | "files" | "base" | "change" | "log";
  holds: boolean;
  text: string;
}

/** What the file says of itself. */
export function checkItself(proof: ProofFile, hash: Hash): ProofCheck[] {
  const { facts, records, agents = [], head, seal, touched } = proof;
  const { commands, decisions, lastEdit } = facts;
  const isAt = (seq: number, kind: string) => records[seq - 1]?.startsWith(`${kind} `) === true;
  const isSealed = hash.sha256(JSON.stringify({ ...proof, seal: "" })) === seal;
  const isChained = chainHead(proof, hash) === head && lastEdit <= records.length;
  const areThere = decisions.every(({ seq }) => isAt(seq, "approval"));
  const ofCommand = ({ seq, exit, command, text }: ProvenCommand): ProofCheck => {
    const isIt = text === undefined || hash.sha256(text) === command;
    const name = text ?? `sha256 ${command.slice(0, 12)}`;
    const said = t("Edit {0}, then command {1} with exit code {2}: {3}", lastEdit, seq, exit ?? "–", name);
    return { what: "command", holds: isIt && seq > lastEdit && isAt(seq, "result"), text: said };
  };
  return [
    { what: "seal", holds: isSealed, text: t("The file is as it was written, with the seal {0}", seal) },
    { what: "chain", holds: isChained, text: t("The chain of records is whole: {0}", records.length) },
    ...(agents.length > 0
      ? [{ what: "agents" as const, holds: isSealed, text: t("Agents that worked for it: {0}", agents.length) }]
      : []),
    {
      what: "decisions",
      holds: areThere,
      text: t("Decisions of a person, where they are said to be: {0}", decisions.length),
    },
    { what: "command", holds: commands.length > 0, text: t("Commands after the last edit: {0}", commands.length) },
    ...commands.map(ofCommand),
    {
      what: "files",
      holds: touched === 0,
      text: t("Files of the session that others changed since it wrote them: {0}", touched),
    },
  ];
}

/**
 * Whether an export has these records, and says the same. The session may have gone on since.
 * @param agents log of each that the file names
 */
export function checkLog(
  { session, records, facts, agents = [] }: ProofFile,
  log: ProvenLog,
  agentLogs: readonly (ProvenLog | undefined)[],
  hash: Hash,
): ProofCheck {
  const areAgents = agents.every(
    ({ id, records, head }, at) => chainOf([id], agentLogs[at]?.lines.slice(0, records) ?? [], hash) === head,
  );
  const isThere = areAgents && log.session === session && records.every((line, at) => line === log.lines[at]);
  const found = proofFacts(
    log.records.filter(({ seq }) => seq <= records.length),
    hash,
  );
  const holds = isThere && JSON.stringify(withTexts(facts)) === JSON.stringify(withTexts(found));
  return { what: "log", holds, text: t("The export has these records, and they say the same.") };
}

/** Hashes stay in any case. @param mayStand whether the text of a command stands there; absent: none */
export function withTexts(facts: ProofFacts, mayStand = (_: string) => false): ProofFacts {
  const of = ({ text, ...ran }: ProvenCommand) => (text !== undefined && mayStand(text) ? { ...ran, text } : ran);
  return { ...facts, commands: facts.commands.map(of) };
}
