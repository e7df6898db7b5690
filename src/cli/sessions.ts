/** The commands on sessions that need no agent. */
import { version } from "../../package.json";
import { GitState } from "../node/shell/gitState";
import { spendingDir } from "../node/stateFolders";
import { NodeSpending } from "../node/storage/spending";
import { nodeClock } from "../node/system";
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
      if (isExportName(command.session))
        return verifyExport(command, { streams, interrupts: watchInterrupts(streams) });
      return verify(storage, command, streams);
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
      if (command.request) return showRequest(storage, { ...command, request: command.request }, streams);
      return done(showSession(storage, command.session, command.json, streams));
    case "explain":
      if (command.rule !== undefined) return done(explainRule(storage, { ...command, rule: command.rule }, streams));
      return done(explainTurn(storage, command, streams));
    case "report":
      return printRuns(command, streams);
    case "plan":
      return done(printPlan(storage, command.session, streams));
    case "recall":
      return done(recall(command, storage, streams));
    case "export":
      return exportToFile(command, { storage, streams, interrupts: watchInterrupts(streams) }, await exportHow(place));
    case "import": {
      const roots = await bothForms([place.workspace]);
      return importFile(command.file, { storage, streams, interrupts: watchInterrupts(streams) }, roots);
    }
    case "remove": {
      const input = process.stdin.isTTY ? process.stdin : undefined;
      return removeSessions(command, { storage, streams, input, output: process.stderr });
    }
  }
}

async function exportHow(place: SessionPlace) {
  const redactor = await buildRedactor(place);
  await redactor.refresh("workspace");
  return { redact: redactor.redact, app: version };
}

async function withProof(command: CommandOf<"proof" | "proofCheck">, place: SessionPlace): Promise<number> {
  const { storage, streams, workspace } = place;
  const repository = await GitState.around(workspace, watchInterrupts(streams).signal);
  if (!repository) throw new UsageError(t("The workspace is in no Git repository, or Git is not here."));
  if (command.kind === "proofCheck") return checkProof(command, { streams, repository });
  return writeProof(command, { storage, streams, repository }, await exportHow(place));
}
