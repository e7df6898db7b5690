/** `strata permit`: what would be decided about a command, by which rule, and why, or what is in force; nothing runs. */
import { type TriedPlace, tryCommand } from "../core/commands/tryCommand";
import { modeInForce, rulesInForce } from "../core/permissions/levels";
import { type OverviewState, permissionsOverview } from "../core/permissions/overview";
import type { Sandbox, SettingsSource } from "../core/ports";
import { visibleLine } from "../shared/shown";
import type { PermitCommand } from "./args";
import { EXIT, jsonLine, type Output } from "./output";

interface PermitDeps extends TriedPlace {
  settings: SettingsSource;
  ownFolders: readonly string[];
  /** what would confine a command; absent: nothing does */
  sandbox?: Pick<Sandbox, "state">;
  streams: Pick<Output, "out" | "err">;
}

const exitCodes = { allow: EXIT.done, ask: EXIT.approval, deny: EXIT.denied };

/** @returns the exit code: 0 it runs, 3 it asks, 4 it never runs */
export async function permit(asked: PermitCommand, { settings, ownFolders, sandbox, streams, ...place }: PermitDeps) {
  const mode = modeInForce(asked.mode, settings);
  if (!asked.command.trim()) return list(asked.json, { mode, trusted: true, settings, streams });
  const set = settings.get();
  const isThere = set["bash.sandbox"] !== "off" && (await sandbox?.state())?.kind === "ready";
  const confined = !isThere ? undefined : set["bash.network"].length > 0 ? "online" : "offline";
  const state = {
    // Whoever asks here may run it: this is about a workspace that is trusted.
    ...{ mode, trusted: true, ownFolders, grants: [], rules: rulesInForce(settings), trustsAllContent: true },
    runEverything: set["permissions.runEverything"],
  };
  const tried = await tryCommand(asked.command, place, state, confined);
  const { decision, by, rule, from, reason, programs } = tried;
  if (asked.json) {
    const named = { rule: rule ?? null, from: from ?? null };
    streams.out(`${JSON.stringify({ decision, by, ...named, reason, mode, programs })}\n`);
  } else {
    const origin = from ? ` in ${from.place}` : "";
    const named = rule === undefined || reason.includes(rule) ? "" : ` (rule ${rule}${origin})`;
    streams.out(`${decision}${reason ? `: ${reason}` : ""}${named}\n`);
  }
  return exitCodes[decision];
}

function list(json: boolean, state: Omit<OverviewState, "sandbox"> & Pick<PermitDeps, "streams">): number {
  const { streams, settings } = state;
  const sections = permissionsOverview({ ...state, sandbox: settings.get()["bash.sandbox"] });
  if (json) {
    streams.out(jsonLine({ mode: state.mode, sections }));
    return EXIT.done;
  }
  for (const { title, lines } of sections) {
    streams.out(`${title}\n`);
    for (const { label, from, detail, warning } of lines) {
      streams.out(`  ${visibleLine(label)}${from === undefined ? "" : `  (${visibleLine(from)})`}\n`);
      if (warning !== undefined) streams.out(`    ! ${visibleLine(warning)}\n`);
      if (detail !== undefined) streams.out(`    ${visibleLine(detail)}\n`);
    }
  }
  return EXIT.done;
}
