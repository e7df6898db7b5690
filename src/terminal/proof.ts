/** `strata proof`: what proves a session's change, as one small file; `strata proof check`: what of it holds in a clone. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fileChains, Timeline } from "../core/changes/timeline/timeline";
import {
  type Hash,
  type RunningHash,
  SessionError,
  type SessionFiles,
  type SessionStorage,
} from "../core/ground/ports";
import { readBundle } from "../core/proof/bundle";
import * as proofs from "../core/proof/proofFile";
import { proofFacts } from "../core/proof/runFacts";
import { parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { ProofFile } from "../shared/proofFile";
import type { LogRecord } from "../shared/records";
import type { Redact } from "../shared/redacted";
import { runResultSchema } from "../shared/runResult";
import type { CommandOf } from "./args";
import { UsageError } from "./argValues";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine, printReport } from "./output";
import { withFiles } from "./sessions";
import { mustBeFile, mustBeFree } from "./transfer";

type ChangedState = "commit" | "files" | { patch: string };

interface ProofEnvironment {
  storage: SessionStorage;
  streams: Streams;
  hash: Hash;
  newHash(): RunningHash;
  /** version of Strata */
  app: string;
  redactor(): Promise<Redact>;
  /** around the workspace */
  repository: {
    /** its whole name; undefined: it is not here */
    commit(name: string): Promise<string | undefined>;
    /** Rejects with SessionError. @param carried a file of these bytes does not count: the proof, which travels with the change */
    changes(base: string, state: ChangedState, carried?: Uint8Array): Promise<{ sha256: string; paths: string[] }>;
  };
  /** undefined: it is larger than a proof. Rejects with the system's error */
  read(path: string): Promise<Uint8Array | undefined>;
  readExported(path: string): AsyncIterable<string>;
  /** rejects with StorageError: then nothing changed */
  write(path: string, text: string): Promise<void>;
}

/** Prints where it is. Rejects with UsageError, SessionError, StorageError and the errors of opening a log. */
export async function writeProof(command: CommandOf<"proof">, environment: ProofEnvironment): Promise<number> {
  const { storage, streams, hash, app, repository, write } = environment;
  const redact = await environment.redactor();
  const { session, force, withText } = command;
  const path = resolve(command.file ?? `${session}.proof.json`);
  await mustBeFree(path, force);
  const { name, patch } = await namedChange(command, hash);
  const base = await repository.commit(name);
  if (base === undefined) throw new UsageError(t("There is no commit {0} here. Name one with --base.", name));
  const earlier = await environment.read(path).catch(() => undefined);
  const { sha256, paths } = await repository.changes(base, patch === undefined ? "files" : { patch }, earlier);
  const proof = await withFiles(storage, session, async files => {
    const { records, lines } = await proofs.readProvenLog(files, hash);
    return {
      kind: "strata-proof" as const,
      version: 1 as const,
      ...{ app, session, base },
      ...{ changes: sha256, files: paths.length, touched: await countTouched({ records, files }, paths, hash) },
      ...(patch !== undefined && { patch: hash.sha256(await readFile(patch)) }),
      // What holds a secret that is known by now stays a hash.
      facts: proofs.withTexts(proofFacts(records, hash), text => withText && redact(text) === text),
      records: lines,
    };
  });
  const { text, seal } = proofs.sealProof(proof, hash);
  await write(path, text);
  streams.out(`${path}\n`);
  const commands = proof.facts.commands.length;
  const words = t(
    "Base: {0}, {1}. Files that differ: {2}. Commands after the last edit: {3}.",
    name,
    base,
    paths.length,
    commands,
  );
  streams.err(`${words} ${t("Seal: {0}", seal)}\n`);
  return EXIT.done;
}

/** As the command line says, else a run's folder, else the newest commit. */
async function namedChange({ session, base, out, patch }: CommandOf<"proof">, hash: Hash) {
  const folder = resolve(out ?? ".");
  const text = out === undefined ? "" : await readFile(join(folder, "result.json"), "utf8").catch(() => "");
  const { data: result } = runResultSchema.safeParse(parseJson(text));
  if (out !== undefined && result?.session !== session)
    throw new UsageError(t("{0} has no result of session {1}.", out, session));
  const file = patch ?? (result?.patch && join(folder, "change.patch"));
  if (file !== undefined) await mustBeFile(resolve(file));
  if (file !== undefined && patch === undefined && hash.sha256(await readFile(file)) !== result?.patch)
    throw new UsageError(t("{0} is not the patch that the run left.", file));
  return { name: base ?? result?.base ?? "HEAD", patch: file === undefined ? undefined : resolve(file) };
}

/** Files that the session changed and that stand otherwise by now. @param paths absolute */
async function countTouched(
  log: { records: readonly LogRecord[]; files: SessionFiles },
  paths: readonly string[],
  hash: Hash,
): Promise<number> {
  const { links } = await new Timeline(log).since(0, 0);
  const left = new Map(fileChains(links).map(({ uri, segments }) => [uri, segments.at(-1)?.after]));
  let touched = 0;
  for (const path of paths) {
    const state = left.get(pathToFileURL(path).href);
    if (state?.type !== "file") continue;
    const bytes = await readFile(path).catch(() => "");
    if (hash.sha256(bytes) !== state.sha256) touched++;
  }
  return touched;
}

/** Exit code: 0 all of it holds, 1 something does not. Rejects with UsageError, SessionError, BundleError, StorageError. */
export async function checkProof(command: CommandOf<"proofCheck">, environment: ProofEnvironment): Promise<number> {
  const { streams, hash } = environment;
  const path = resolve(command.file);
  await mustBeFile(path);
  // Git may have given it the line ends of its system.
  const text = Buffer.from((await environment.read(path)) ?? [])
    .toString("latin1")
    .replaceAll("\r\n", "\n");
  const bytes = Buffer.from(text, "latin1");
  const proof = proofs.readProof(path, bytes);
  const checks = proofs.checkItself(proof, hash);
  checks.push(...(await checkChange(proof, bytes, command, environment)));
  if (command.log !== undefined) checks.push(await checkExport(proof, resolve(command.log), environment));
  const isProven = checks.every(({ holds }) => holds);
  const { records: _, ...said } = proof;
  const of = (wanted: boolean) => checks.filter(({ holds }) => holds === wanted).map(({ text }) => ({ label: text }));
  const holding = { title: isProven ? t("All of it holds.") : t("What holds"), lines: of(true) };
  const failing = isProven ? [] : [{ title: t("What does not hold"), lines: of(false) }];
  if (command.json) streams.out(jsonLine({ holds: isProven, checks, ...said }));
  else printReport({ title: t("Proof"), sections: [...failing, holding] }, streams);
  return isProven ? EXIT.done : EXIT.error;
}

/** @param carried bytes of the proof. Without a patch the newest commit is the change, or the files as they stand */
async function checkChange(
  { base, changes, files, patch }: ProofFile,
  carried: Uint8Array,
  { patch: named, base: expected }: CommandOf<"proofCheck">,
  { repository, hash }: ProofEnvironment,
): Promise<proofs.ProofCheck[]> {
  const isHere = (await repository.commit(base)) === base;
  const isChange = async (state: ChangedState) => {
    const found = await repository.changes(base, state, carried).catch((error: unknown) => {
      if (!(error instanceof SessionError)) throw error;
    });
    return found?.sha256 === changes;
  };
  const isProven = async () => {
    if (named === undefined) return isHere && ((await isChange("commit")) || isChange("files"));
    await mustBeFile(resolve(named));
    return hash.sha256(await readFile(named)) === patch || (isHere && isChange({ patch: resolve(named) }));
  };
  const isNamed = expected === undefined || (await repository.commit(expected)) === base;
  const [notHere, another] = [
    t("The base commit is not here, so fetch it first: {0}", base),
    files === 0
      ? t("Nothing differs from the base, so nothing is proven.")
      : isHere
        ? t("The change is another one.")
        : t("Without its base commit the change cannot be compared."),
  ];
  return [
    proofs.proofCheck("base", isHere, t("The base commit is here: {0}", base), notHere),
    ...(isNamed ? [] : [proofs.proofCheck("base", false, "", t("The base is another than {0}.", expected ?? ""))]),
    proofs.proofCheck("change", files > 0 && (await isProven()), t("The change is this one."), another),
  ];
}

async function checkExport(proof: ProofFile, path: string, { hash, newHash, readExported }: ProofEnvironment) {
  await mustBeFile(path);
  const texts = new Map<string, string>();
  await readBundle(readExported(path), newHash, ({ name, text = "" }) => {
    if (name.endsWith(".jsonl")) texts.set(name, (texts.get(name) ?? "") + text);
  });
  const log = await proofs.readProvenLog({ read: async name => texts.get(name) }, hash);
  return proofs.checkLog(proof, log, hash);
}
