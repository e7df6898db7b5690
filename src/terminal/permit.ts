/** `strata permit`: what would be decided about a command, by which rule, and why, or what is in force; nothing runs. */
import { type InForce, tryInForce } from "../core/commands/tryCommand";
import { modeInForce } from "../core/permissions/levels";
import { permissionsReport } from "../core/permissions/overview";
import type { PermitCommand } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { printReport } from "./report";

interface PermitDeps extends InForce {
  streams: Streams;
}

const exitCodes = { allow: EXIT.done, ask: EXIT.approval, deny: EXIT.denied };

/** @returns the exit code: 0 it runs, 3 it asks, 4 it never runs */
export async function permit(asked: PermitCommand, { streams, ...place }: PermitDeps): Promise<number> {
  const { settings } = place;
  // Whoever asks here may run it: this is about a workspace that is trusted.
  const state = { mode: modeInForce(asked.mode, settings), trusted: true };
  if (!asked.command.trim()) {
    const report = permissionsReport({ ...state, settings, sandbox: settings.get()["bash.sandbox"] });
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
  lines: lines.map(({ warnings, action: rule, ...line }) => ({ ...line, rule, warning: warnings?.[0] })),
});
