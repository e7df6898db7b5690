/** `strata permit`: what is in force, and what would become of a command. */
import { join } from "node:path";
import { type InForce, tryInForce } from "../core/commands/tryCommand";
import type { Rules } from "../core/ground/ports";
import { modeInForce, ruledOut } from "../core/permissions/levels";
import { permissionsReport } from "../core/permissions/overview";
import { bindingSections, bindingsNow } from "../core/permissions/sentences";
import { NodeFiles } from "../node/files";
import { realPath, withSlashes } from "../node/paths";
import { NodeRules } from "../node/rules";
import { NodeSandbox } from "../node/sandbox/sandbox";
import { NodeShell } from "../node/shell/shell";
import { configDir, spendingDir, unreviewedDir } from "../node/stateFolders";
import type { CommandOf } from "../terminal/args";
import type { Streams } from "../terminal/eventPrinter";
import { EXIT, jsonLine, printReport } from "../terminal/output";
import { bothForms, createLogger, flagSettings, instructionPlaces, readSettings, type SessionPlace } from "./place";

export async function withPermit(command: CommandOf<"permit">, place: SessionPlace): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const settings = readSettings(place, flagSettings(command), true);
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir(), unreviewedDir()]);
  const files = new NodeFiles([workspace]);
  const cwd = withSlashes(await realPath(workspace));
  const roots = () => [{ path: cwd }];
  const sandbox = new NodeSandbox({ roots, ownFolders, keep: join(storageDir, "sandbox") });
  const shell = new NodeShell({ roots: () => [cwd] });
  const written = instructionPlaces(files, { logger: createLogger(storageDir), trusted: () => true });
  const rules = new NodeRules({ ...written, ruledOut: ruledOut(settings) });
  const code = await permit(command, { files, settings, cwd, shell, ownFolders, sandbox, streams, rules });
  await sandbox.close();
  return code;
}

interface PermitDeps extends InForce {
  streams: Streams;
  rules?: Rules;
}

const exitCodes = { allow: EXIT.done, ask: EXIT.approval, deny: EXIT.denied };

/** @returns the exit code: 0 it runs, 3 it asks, 4 it never runs */
export async function permit(asked: CommandOf<"permit">, { streams, rules, ...place }: PermitDeps): Promise<number> {
  const { settings } = place;
  // The answer is for a trusted workspace.
  const state = { mode: modeInForce(asked.mode, settings), trusted: true };
  if (!asked.command.trim()) {
    const inForce = permissionsReport({ ...state, settings, sandbox: settings.get()["bash.sandbox"] });
    const sentences = rules ? bindingSections(await bindingsNow(rules, settings)) : [];
    const sections = [...inForce.sections, ...sentences.filter(({ lines }) => lines.length > 0)];
    const report = { ...inForce, sections };
    if (asked.json) streams.out(jsonLine({ mode: state.mode, sections: report.sections.map(jsonSection) }));
    else printReport(report, streams);
    return EXIT.done;
  }
  const { decision, by, rule, from, reason, programs, why } = await tryInForce(asked.command, place, state);
  const named = { rule: rule ?? null, from: from ?? null };
  if (asked.json) streams.out(`${JSON.stringify({ decision, by, ...named, reason, mode: state.mode, programs })}\n`);
  else streams.out(`${decision}${why ? `: ${why}` : ""}\n`);
  return exitCodes[decision];
}

const jsonSection = ({ title, lines }: ReturnType<typeof permissionsReport>["sections"][number]) => ({
  title,
  lines: lines.map(({ warnings, ...line }) => ({ ...line, warning: warnings?.[0] })),
});
