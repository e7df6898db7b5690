import { type MouseEvent, type ReactNode, useState } from "react";
import { locale, plural, t } from "../../../../src/shared/l10n";
import type { Json } from "../../../../src/shared/messages";
import { type LookedAt, toolTraits } from "../../../../src/shared/toolTraits";
import { Icon, SPINNER, Toggle } from "../../controls/controls";
import type { LooksItem } from "../../store/looks";
import type { ToolItem } from "../../store/state";
import { capital, formatDuration } from "../../text/format";
import { refusalWords, toolTarget } from "../../text/toolWords";
import { ToolSummary } from "./ToolCard";

/** Failed calls that are in sight while the run is closed. */
const MAX_FAILED = 3;

/** A run of calls that only look: one line, which opens to all of them. One call by itself is its own line. */
export function Looks({ items, draw }: { items: readonly LooksItem[]; draw(item: LooksItem): ReactNode }) {
  const [open, setOpen] = useState(false);
  const calls = items.filter(item => item.kind === "tool");
  const isOne = calls.length === 1;
  // Who opened the first call keeps it open when others join it.
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    const toggle = isOne ? (target as Element).closest("[aria-expanded]") : null;
    if (toggle) setOpen(toggle.getAttribute("aria-expanded") !== "true");
  };
  const shown = isOne || open ? items : calls.filter(hasFailed).slice(0, MAX_FAILED);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it only notes what the buttons in it do
    <div className="looks" data-holds={items.map(({ key }) => key).join(" ")} onClick={onClick}>
      {isOne ? null : <LooksLine calls={calls} open={open} toggle={() => setOpen(!open)} />}
      {shown.map(draw)}
    </div>
  );
}

const hasFailed = (call: ToolItem) => call.phase === "error" && refusalWords(call) === undefined;

function LooksLine({ calls, open, toggle }: { calls: readonly ToolItem[]; open: boolean; toggle(): void }) {
  const current = calls.findLast(({ outcome, phase }) => outcome === null && phase !== "interrupted");
  const failed = calls.filter(hasFailed).length;
  const ms = calls.reduce((sum, { outcome }) => sum + (outcome?.durationMs ?? 0), 0);
  const state = failed > 0 ? "error" : "success";
  return (
    <div className={`tool looks-line ${state}${current ? "" : " ended"}`} data-tool="looks">
      <div className="tool-line">
        <Toggle open={open} className="tool-toggle" onClick={toggle}>
          <Icon name={current ? SPINNER : failed > 0 ? "error" : "search"} className="tool-icon" />
          <Icon name={open ? "chevron-down" : "chevron-right"} className="tool-chevron" />
          {current ? (
            <ToolSummary tool={current} />
          ) : (
            <>
              <span className="looks-words cut">{looksWords(calls)}</span>
              <span className="tool-outcome">
                {failed > 0 ? <span className="tool-words">{plural(failed, "1 failed", "{0} failed")}</span> : null}
                {ms >= 100 ? <span className="tool-time">{formatDuration(ms)}</span> : null}
              </span>
            </>
          )}
        </Toggle>
      </div>
    </div>
  );
}

const words: Record<LookedAt, (number: number) => string> = {
  file: number => plural(number, "looked at 1 file", "looked at {0} files"),
  folder: number => plural(number, "listed 1 folder", "listed {0} folders"),
  search: number => (number === 2 ? t("searched twice") : plural(number, "searched once", "searched {0} times")),
  symbol: number => plural(number, "looked up 1 symbol", "looked up {0} symbols"),
};

/** "Looked at 2 files, searched twice": files that were read in parts count once. */
export function looksWords(calls: readonly { toolName: string; input: Json | null }[]): string {
  const parts = (Object.keys(words) as LookedAt[]).flatMap(kind => {
    const own = calls.filter(({ toolName }) => toolTraits(toolName).looksAt === kind);
    const number = kind === "search" ? own.length : new Set(own.map(toolTarget)).size;
    return number > 0 ? [words[kind](number)] : [];
  });
  return capital(new Intl.ListFormat(locale(), { type: "conjunction", style: "narrow" }).format(parts));
}
