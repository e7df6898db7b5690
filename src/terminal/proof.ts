/** `strata proof`: what proves a session's change, as one small file; `strata proof check`: what of it holds in a clone. */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fileChains, Timeline } from "../core/changes/timeline/timeline";
import { onlyFor, SessionError, type SessionFiles, type SessionStorage } from "../core/ground/ports";
import { readBundle } from "../core/proof/bundle";
import * as proofs from "../core/proof/proofFile";
import { proofFacts } from "../core/proof/runFacts";
import { readExported, writeExported } from "../node/exportedFile";
import { readRegular } from "../node/readRegular";
import type { GitState } from "../node/shell/gitState";
import { nodeHash, nodeRunningHash } from "../node/system";
import { defined, some } from "../shared/defined";
import { parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { ProofFile } from "../shared/proofFile";
import type { LogRecord } from "../shared/records";
import { runResultSchema } from "../shared/runResult";
import type { CommandOf } from "./args";
import { UsageError } from "./argValues";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine, printReport } from "./output";
import { withFiles } from "./sessions";
import { type ExportHow, mustBeFile, mustBeFree } from "./transfer";

type ChangedState = "commit" | "files" | { patch: string };

interface ProofPlace {
  storage: SessionStorage;
  streams: Streams;
  /** around the workspace */
  repository: GitState;
}

/** Bytes: two hundred thousand records have fewer. */
const MAX_PROOF = 32 * 1024 * 1024;

/** Prints where it is. Rejects with UsageError, SessionError, StorageError and the errors of opening a log. */
export async function writeProof(
  command: CommandOf<"proof">,
  { storage, streams, repository }: ProofPlace,
  { redact, app }: ExportHow,
): Promise<number> {
  const { session, force, withText } = command;
  const path = resolve(command.file ?? `${session}.proof.json`);
  await mustBeFree(path, force);
  const { name, patch } = await namedChange(command);
  const base = await repository.commit(name);
  if (base === undefined) throw new UsageError(t("There is no commit {0} here. Name one with --base.", name));
  const earlier = await readRegular(path, MAX_PROOF).catch(() => undefined);
  const { sha256, paths } = await repository.changes(base, patch === undefined ? "files" : { patch }, earlier);
  const proof = await withFiles(storage, session, async files => {
    const { records, lines } = await proofs.readProvenLog(files, nodeHash);
    const agents = await proofs.provenAgents(files, nodeHash);
    return {
      kind: "strata-proof" as const,
      version: 1 as const,
      ...{ app, session, base },
      ...{ changes: sha256, files: paths.length, touched: await countTouched({ records, files }, paths) },
      ...(patch !== undefined && { patch: nodeHash.sha256(await readFile(patch)) }),
      // What holds a secret that is known by now stays a hash.
      facts: proofs.withTexts(proofFacts(records, nodeHash), text => withText && redact(text) === text),
      records: lines,
      ...defined({ agents: some(agents) }),
    };
  });
  const { text, seal } = proofs.sealProof(proof, nodeHash);
  await writeExported(path, [text]);
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
async function namedChange({ session, base, out, patch }: CommandOf<"proof">) {
  const folder = resolve(out ?? ".");
  const text = out === undefined ? "" : await readFile(join(folder, "result.json"), "utf8").catch(() => "");
  const { data: result } = runResultSchema.safeParse(parseJson(text));
  if (out !== undefined && result?.session !== session)
    throw new UsageError(t("{0} has no result of session {1}.", out, session));
  const file = patch ?? (result?.patch && join(folder, "change.patch"));
  if (file !== undefined) await mustBeFile(resolve(file));
  if (file !== undefined && patch === undefined && nodeHash.sha256(await readFile(file)) !== result?.patch)
    throw new UsageError(t("{0} is not the patch that the run left.", file));
  return { name: base ?? result?.base ?? "HEAD", patch: file === undefined ? undefined : resolve(file) };
}

/** Files that the session changed and that stand otherwise by now. @param paths absolute */
async function countTouched(
  log: { records: readonly LogRecord[]; files: SessionFiles },
  paths: readonly string[],
): Promise<number> {
  const { links } = await new Timeline(log).since(0, 0);
  const left = new Map(fileChains(links).map(({ uri, segments }) => [uri, segments.at(-1)?.after]));
  let touched = 0;
  for (const path of paths) {
    const state = left.get(pathToFileURL(path).href);
    if (state?.type !== "file") continue;
    const bytes = await readFile(path).catch(() => "");
    if (nodeHash.sha256(bytes) !== state.sha256) touched++;
  }
  return touched;
}

/** Exit code: 0 all of it holds, 1 something does not. Rejects with UsageError, SessionError, BundleError, StorageError. */
export async function checkProof(
  command: CommandOf<"proofCheck">,
  { streams, repository }: Omit<ProofPlace, "storage">,
): Promise<number> {
  const path = resolve(command.file);
  await mustBeFile(path);
  // Git may have given it the line ends of its system.
  const text = Buffer.from((await readRegular(path, MAX_PROOF)) ?? [])
    .toString("latin1")
    .replaceAll("\r\n", "\n");
  const bytes = Buffer.from(text, "latin1");
  const proof = proofs.readProof(path, bytes);
  const checks = proofs.checkItself(proof, nodeHash);
  checks.push(...(await checkChange(proof, bytes, command, repository)));
  if (command.log !== undefined) checks.push(await checkExport(proof, resolve(command.log)));
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
  repository: GitState,
): Promise<proofs.ProofCheck[]> {
  const isHere = (await repository.commit(base)) === base;
  const isChange = async (state: ChangedState) => {
    const found = await repository.changes(base, state, carried).catch(onlyFor(SessionError, () => undefined));
    return found?.sha256 === changes;
  };
  const isProven = async () => {
    if (named === undefined) return isHere && ((await isChange("commit")) || isChange("files"));
    await mustBeFile(resolve(named));
    return nodeHash.sha256(await readFile(named)) === patch || (isHere && isChange({ patch: resolve(named) }));
  };
  const isNamed = expected === undefined || (await repository.commit(expected)) === base;
  const isIt = files > 0 && (await isProven());
  const whyNot = isHere ? t("The change is another one.") : t("Without its base commit the change cannot be compared.");
  const another = files > 0 ? whyNot : t("Nothing differs from the base, so nothing is proven.");
  return [
    {
      what: "base",
      holds: isHere,
      text: isHere
        ? t("The base commit is here: {0}", base)
        : t("The base commit is not here, so fetch it first: {0}", base),
    },
    ...(isNamed ? [] : [{ what: "base" as const, holds: false, text: t("The base is {0}.", expected ?? "") }]),
    { what: "change", holds: isIt, text: isIt ? t("The change is this one.") : another },
  ];
}

async function checkExport(proof: ProofFile, path: string) {
  await mustBeFile(path);
  const texts = new Map<string, string>();
  await readBundle(readExported(path), nodeRunningHash, ({ name, text = "" }) => {
    if (name.endsWith(".jsonl")) texts.set(name, (texts.get(name) ?? "") + text);
  });
  const logAt = (place: string) => proofs.readProvenLog({ read: async name => texts.get(place + name) }, nodeHash);
  const agents = (proof.agents ?? []).map(({ id }) => {
    const place = id.replace(/[^/]+/g, "children/$&").concat("/");
    return texts.has(`${place}history.jsonl`) ? logAt(place) : undefined;
  });
  return proofs.checkLog(proof, await logAt(""), await Promise.all(agents), nodeHash);
}
