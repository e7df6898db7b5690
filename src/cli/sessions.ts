/** The commands on sessions that need no agent. */
import { Readable } from "node:stream";
import { version } from "../../package.json";
import { readExported, writeExported } from "../node/exportedFile";
import { readRegular } from "../node/readRegular";
import { GitState } from "../node/shell/gitState";
import { NodeStorage, spendingDir } from "../node/storage/sessionStorage";
import { NodeSpending } from "../node/storage/spending";
import { nodeClock, nodeHash, nodeIds, nodeRunningHash } from "../node/system";
import { t } from "../shared/l10n";
import type { CommandOf, SessionCommand } from "../terminal/args";
import { UsageError } from "../terminal/argValues";
import { EXIT } from "../terminal/output";
import { printPlan } from "../terminal/plans";
import { checkProof, writeProof } from "../terminal/proof";
import { printRuns } from "../terminal/report";
import {
  explainRule,
  explainTurn,
  listSessions,
  recall,
  removeSessions,
  showCost,
  showPermissions,
  showSession,
} from "../terminal/sessions";
import { exportToFile, importFile, isExportName, showRequest, verify, verifyExport } from "../terminal/transfer";
import type { SessionPlace } from "./place";
import { bothForms, buildRedactor, readSettings, refuseSessionOfOthers, watchInterrupts } from "./place";

/** What needs no agent. */
export async function withSessions(command: SessionCommand, place: SessionPlace): Promise<number> {
  const { storage, streams } = place;
  if ("session" in command) refuseSessionOfOthers(place, command.session);
  const done = (printed: Promise<void>) => printed.then(() => EXIT.done);
  switch (command.kind) {
    case "sessions": {
      const maxBytes = command.size ? readSettings(place).get()["storage.maxBytes"] : 0;
      return done(listSessions(storage, command, streams, maxBytes));
    }
    case "verify":
      if (isExportName(command.session)) {
        const storageIn = (folder: string) => new NodeStorage(folder);
        const deps = { ids: nodeIds, hash: nodeHash, newHash: nodeRunningHash, read: readExported, storageIn };
        return verifyExport(command, { ...deps, streams, interrupts: watchInterrupts(streams) });
      }
      return verify(storage, nodeHash, command, streams);
    case "proof":
    case "proofCheck":
      return withProof(command, place);
    case "show":
      if (command.permissions) return done(showPermissions(storage, command.session, command.json, streams));
      if (command.cost) {
        const set = readSettings(place).get();
        const today = await new NodeSpending(spendingDir()).since(0, nodeClock.now()).catch(() => undefined);
        const limits = { today, perTurn: set["agent.maxCostPerTurn"], perDay: set["agent.maxCostPerDay"] };
        return done(showCost(storage, command, limits, streams));
      }
      if (command.request) return showRequest(storage, nodeHash, { ...command, request: command.request }, streams);
      return done(showSession(storage, command.session, command.json, streams));
    case "explain":
      if (command.rule !== undefined)
        return done(explainRule(storage, nodeHash, { ...command, rule: command.rule }, streams));
      return done(explainTurn(storage, command, streams));
    case "report":
      return printRuns(command, streams);
    case "plan":
      return done(printPlan(storage, command.session, streams));
    case "recall":
      return done(recall(command, storage, nodeHash, streams));
    case "export": {
      const redactor = await buildRedactor(place);
      await redactor.refresh("workspace");
      const deps = { redact: redactor.redact, hash: nodeHash, newHash: nodeRunningHash, now: nodeClock.now };
      const to = { write: writeExported, storage, streams, interrupts: watchInterrupts(streams) };
      return exportToFile(command, { ...deps, app: version, ...to });
    }
    case "import": {
      const roots = await bothForms([place.workspace]);
      const deps = { storage, ids: nodeIds, newHash: nodeRunningHash, roots, read: readExported };
      return importFile(command.file, { ...deps, streams, interrupts: watchInterrupts(streams) });
    }
    case "remove": {
      const input = process.stdin.isTTY ? process.stdin : undefined;
      return removeSessions(command, { storage, streams, input, output: process.stderr });
    }
  }
}

/** Bytes: two hundred thousand records have fewer. */
const MAX_PROOF = 32 * 1024 * 1024;

async function withProof(command: CommandOf<"proof" | "proofCheck">, place: SessionPlace): Promise<number> {
  const { storage, streams, workspace } = place;
  const { signal } = watchInterrupts(streams);
  const repository = await GitState.around(workspace, signal);
  if (!repository) throw new UsageError(t("The workspace is in no Git repository, or Git is not here."));
  const write = (path: string, text: string) => writeExported(path, Readable.from([text]), signal);
  const read = (path: string) => readRegular(path, MAX_PROOF);
  const redactor = async () => {
    const built = await buildRedactor(place);
    await built.refresh("workspace");
    return built.redact;
  };
  const deps = { storage, streams, hash: nodeHash, newHash: nodeRunningHash, app: version };
  const environment = { ...deps, redactor, repository, read, readExported, write };
  return command.kind === "proof" ? writeProof(command, environment) : checkProof(command, environment);
}
