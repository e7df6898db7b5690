/** Tools and Rules: sentences of rules files that bind or could, as rows, and what the person makes of them. */
import { type Rules, SessionError, type SettingsSource } from "../../../core/ground/ports";
import type { ReportLine } from "../../../core/ground/text/report";
import { boundKey, boundSentences } from "../../../core/permissions/bindings";
import {
  type BindingProposal,
  type Bindings,
  bindingSections,
  bindingsIn,
  entriesOf,
} from "../../../core/permissions/sentences/proposals";
import { defined } from "../../../shared/defined";
import { plural, t } from "../../../shared/l10n";
import type { ToolRow } from "../../../shared/panelProtocol";

export interface BindingsDeps {
  rules: Rules;
  settings: SettingsSource;
  /** Changes the setting at one of the two levels. Rejects with a SessionError, and nothing is changed. */
  bind(level: "user" | "workspace", change: (entries: readonly unknown[]) => unknown[]): Promise<void>;
  /** Asks the model for small things. */
  proposeRules?(sentences: Bindings["guidance"]): Promise<BindingProposal[]>;
}

export function bindingsPart({ rules, settings, bind, proposeRules }: BindingsDeps) {
  let looked: readonly BindingProposal[] = [];
  const read = async () => {
    const entries = settings.get()["permissions.bindings"] as readonly { file?: unknown }[];
    const files = entries.flatMap(entry => (typeof entry?.file === "string" ? [entry.file] : []));
    return bindingsIn(await rules.read([...new Set(files)]), settings, looked);
  };
  return {
    rows: async () => bindingRows(await read()),
    handlers: {
      // The key is of the very sentence and entries that were shown.
      async bind({ key, to }: { key: string; to: "user" | "workspace" | "nowhere" }) {
        if (to === "nowhere") {
          const level = boundSentences(settings).find(each => each.key === key)?.level;
          if (level !== "user" && level !== "workspace") throw gone();
          await bind(level, entries => {
            const left = entries.filter(entry => boundKey(level, entry) !== key);
            // It may be of a folder's own settings, in a window with several.
            if (left.length === entries.length) throw gone();
            return left;
          });
          return {};
        }
        const found = (await read()).proposed.find(each => keyOf(each) === key && !each.against);
        if (!found) throw gone();
        const { file, sentence, as } = found;
        await bind(to, entries => [...entries, ...as.map(each => ({ file, sentence, ...each }))]);
        return {};
      },
      async lookForRules() {
        const { guidance } = await read();
        const found = guidance.length > 0 ? ((await proposeRules?.(guidance)) ?? []) : [];
        if (found.length === 0) throw new SessionError(t("The model proposes no rule for these sentences."));
        looked = [...looked, ...found];
        return {};
      },
    },
  };
}

const gone = () => new SessionError(t("This sentence or its settings have changed. Look again."));
const keyOf = ({ file, sentence, as }: BindingProposal): string => JSON.stringify([file, sentence, as]);

function bindingRows(bindings: Bindings): ToolRow[] {
  const { bound, proposed, guidance } = bindings;
  const [held, open] = bindingSections(bindings);
  const boundRows = bound.map(({ key, level, isStale }, at) => ({
    ...rowOf(held.lines[at], isStale ? t("bound, stale") : t("bound"), isStale ? "warning" : "pass-filled"),
    ...((level === "user" || level === "workspace") && { binding: { key, to: [] } }),
  }));
  const proposals = proposed.map((each, at): ToolRow => {
    const [first = "", ...others] = entriesOf(each);
    const more = others.length > 0 ? ` ${plural(others.length, "and 1 more", "and {0} more")}` : "";
    const to = each.file.startsWith("~") ? (["user", "workspace"] as const) : (["workspace", "user"] as const);
    const row = rowOf(open.lines[at], first + more, "circle-outline");
    return each.against ? row : { ...row, binding: { key: keyOf(each), to: [...to] } };
  });
  const words = plural(
    guidance.length,
    "1 sentence is guidance: no rule holds it",
    "{0} sentences are guidance: no rule holds them",
  );
  const lines = guidance.slice(0, 200).map(({ file, sentence }) => `${file}: ${sentence}`);
  return [...boundRows, ...proposals, ...(guidance.length > 0 ? [{ name: words, icon: "info", lines }] : [])];
}

const rowOf = (
  { label = "", from, text = "", warnings = [] }: Partial<ReportLine> = {},
  state: string,
  icon: string,
) => ({
  ...{ name: label, state, icon, lines: text.split("\n"), warnings: [...warnings] },
  ...defined({ from }),
});
