/** All that a call would do, and all reasons why it is asked about: told from the facts that decide, the worst first. */
import { byDanger, type ToldEffect } from "../../shared/approval";
import { listed } from "../../shared/format";
import { t } from "../../shared/l10n";
import { obeyedBecause } from "../../shared/obeyedFiles";
import { commandReasons } from "./commandPolicy";
import { programEffects } from "./plain/programEffects";
import { outside } from "./protectedPaths";
import { type Action, type PolicyState, type ProtectedUse, protectedUses, type Verdict } from "./verdict";

/** @param more reasons that the policy does not know */
export function effectsOf(
  action: Action,
  state: PolicyState,
  { by, reason }: Verdict,
  more: readonly (string | false | undefined)[],
) {
  const { command } = action;
  const programs = command ? programEffects(command) : [];
  const told = new Set(command?.parts.filter((_, at) => (programs[at] ?? []).length > 0));
  const reasons = commandReasons(action, state, by === "command");
  // In a text that is not read any word may be a file that changes.
  const unsure = command?.unread === undefined ? undefined : new Set(command.changes);
  const uses = [...protectedUses(action, state)];
  // What an effect says of a program is the reason, too.
  const others = reasons.flatMap(({ why, part }) =>
    why === undefined || (part && (told.has(part) || (told.size > 0 && part.effect !== "acts"))) ? [] : [why],
  );
  const ofFiles = uses.map(({ ref, reason: why }) => (command ? `${ref.path}: ${why}` : why));
  const known = [...reasons.map(({ why }) => why), ...ofFiles].find(
    why => why !== undefined && reason?.startsWith(why),
  );
  const rest = reason?.slice(known?.length ?? 0).replace(/^[;；] ?/, "");
  const sentences = [...others, rest, ...more].flatMap(words => (words ? [{ kind: "reason" as const, words }] : []));
  const all: ToldEffect[] = [
    ...programs.flat(),
    ...fileEffects(
      uses.map(use => (unsure?.has(use.ref) ? { ...use, how: "read" } : use)),
      command !== undefined,
    ),
    ...sentences,
  ];
  return all.filter((one, at) => all.findIndex(({ words }) => words === one.words) === at).sort(byDanger);
}

/** Files that are asked about for the same reason are told together; one that is written, not as one that is read too. */
function fileEffects(all: readonly ProtectedUse[], isCommand: boolean): ToldEffect[] {
  const written = new Set(all.filter(({ how }) => how === "write").map(({ ref }) => ref.absolute));
  const uses = all.filter(({ how, ref }) => how === "write" || !written.has(ref.absolute));
  return [...Map.groupBy(uses, ({ how, reason }) => `${how} ${reason}`).values()].map(group => {
    const [{ ref, how, reason }] = group as [ProtectedUse];
    const paths = new Set(group.map(each => each.ref.path));
    const files = listed(
      [...paths].filter(path => !(path.startsWith("@") && paths.has(path.slice(1)))),
      3,
    );
    if (how === "read") return { kind: "reason", words: isCommand ? `${files}: ${reason}` : reason };
    const isObeyed = obeyedBecause(ref.relative.toLowerCase().split("/")) !== undefined;
    const kind = isObeyed ? "settings" : reason === outside() ? "outside" : "overwrites";
    return { kind, words: isCommand ? t("changes {0}: {1}", files, reason) : reason };
  });
}
