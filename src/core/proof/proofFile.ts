/**
 * The file of `strata proof` (docs/proofs.md): sealed, read again, held against itself and against a log. It proves order and
 * wholeness, not that the machine was honest.
 */
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { type ProofFacts, type ProofFile, proofSchema } from "../../shared/proofFile";
import type { LogRecord } from "../../shared/records";
import { type Hash, SessionError, type SessionTextReader } from "../ground/ports";
import { isArchiveName } from "../ground/ports/storage";
import { decodeLog, decodeUtf8, mergeLogs } from "../log/codec";
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

/** `text`: the file's. @param proof keys in the order of their schema */
export function sealProof(proof: Omit<ProofFile, "head" | "seal">, hash: Hash): { text: string; seal: string } {
  const open = { ...proof, head: chainHead(proof, hash), seal: "" };
  const seal = hash.sha256(JSON.stringify(open));
  return { text: fileText({ ...open, seal }), seal };
}

const fileText = (proof: ProofFile): string => `${JSON.stringify(proof, null, 1)}\n`;

type ProvenCommand = ProofFacts["commands"][number];

const chainHead = ({ session, facts, records }: Omit<ProofFile, "head" | "seal">, hash: Hash): string =>
  records.reduce((before, line) => hash.sha256(`${before}\n${line}`), hash.sha256(JSON.stringify([session, facts])));

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

/** One thing that was looked at. `text`: for people */
export interface ProofCheck {
  what: "seal" | "chain" | "command" | "decisions" | "files" | "base" | "change" | "log";
  holds: boolean;
  text: string;
}

/** @param yes what it says where it holds */
export function proofCheck(what: ProofCheck["what"], holds: boolean, yes: string, no: string): ProofCheck {
  return { what, holds, text: holds ? yes : no };
}

/** What the file says of itself. */
export function checkItself(proof: ProofFile, hash: Hash): ProofCheck[] {
  const { facts, records, head, seal, touched } = proof;
  const { commands, decisions, lastEdit } = facts;
  const isAt = (seq: number, kind: string) => records[seq - 1]?.startsWith(`${kind} `) === true;
  const isSealed = hash.sha256(JSON.stringify({ ...proof, seal: "" })) === seal;
  const isChained = chainHead(proof, hash) === head && lastEdit <= records.length;
  const areThere = decisions.every(({ seq }) => isAt(seq, "approval"));
  const [noChange, noChain, noDecision, noCommand, noFiles] = [
    t("The file was changed after it was written."),
    t("A record, or what is said of it, was changed, moved or left out."),
    t("A decision of a person is not where it is said to be."),
    t("No command ran after the last edit."),
    t("Files of the session were changed by others since it wrote them: {0}", touched),
  ];
  return [
    proofCheck("seal", isSealed, t("The file is as it was written, with the seal {0}", seal), noChange),
    proofCheck("chain", isChained, t("The chain of records is whole: {0}", records.length), noChain),
    proofCheck(
      "decisions",
      areThere,
      t("Decisions of a person, where they are said to be: {0}", decisions.length),
      noDecision,
    ),
    proofCheck("command", commands.length > 0, t("Commands after the last edit: {0}", commands.length), noCommand),
    ...commands.map(ran => checkCommand(ran, lastEdit, isAt(ran.seq, "result"), hash)),
    proofCheck("files", touched === 0, t("Nobody changed the session's files since it wrote them."), noFiles),
  ];
}

function checkCommand({ seq, exit, command, text }: ProvenCommand, lastEdit: number, isThere: boolean, hash: Hash) {
  const holds = isThere && seq > lastEdit && (text === undefined || hash.sha256(text) === command);
  const name = text ?? `sha256 ${command.slice(0, 12)}`;
  const ran = t("Edit {0}, then command {1} with exit code {2}: {3}", lastEdit, seq, exit ?? "–", name);
  return proofCheck("command", holds, ran, t("Record {0} is no such command after edit {1}.", seq, lastEdit));
}

/** Whether an export has these records, and says the same. The session may have gone on since. */
export function checkLog({ session, records, facts }: ProofFile, log: ProvenLog, hash: Hash): ProofCheck {
  const isThere = log.session === session && records.every((line, at) => line === log.lines[at]);
  const found = proofFacts(
    log.records.filter(({ seq }) => seq <= records.length),
    hash,
  );
  const holds = isThere && JSON.stringify(withTexts(facts)) === JSON.stringify(withTexts(found));
  const no = t("The export has other records, or they say something else.");
  return proofCheck("log", holds, t("The export has these records, and they say the same."), no);
}

/** Hashes stay in any case. @param mayStand whether the text of a command stands there; absent: none */
export function withTexts(facts: ProofFacts, mayStand = (_: string) => false): ProofFacts {
  const of = ({ text, ...ran }: ProvenCommand) => (text !== undefined && mayStand(text) ? { ...ran, text } : ran);
  return { ...facts, commands: facts.commands.map(of) };
}
