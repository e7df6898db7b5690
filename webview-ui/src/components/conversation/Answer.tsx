import { useRef, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import { Gutter, Icon, IconButton, Toggle, useCopy } from "../../controls/controls";
import { Markdown } from "../../markdown/Markdown";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { AnswerItem } from "../../store/state";
import { formatDuration } from "../../text/format";
import { PlanCard } from "./PlanCard";

/** What the model wrote. While it streams, its text comes from `live`, so that a delta renders nothing but this. */
export function Answer({ item }: { item: AnswerItem }) {
  const live = usePanelState(
    state => (item.live && state.session.live?.requestId === item.key ? state.session.live : null),
    item.live,
  );
  const { text, reasoning, thoughtMs } = live ?? item;
  const isThinking = live !== null && live.thinkingSince !== null;
  const attempt = item.cutOff === null ? "" : " attempt";
  const end = item.cutOff === null ? t("Stopped here.") : t("This answer was cut off: {0}", item.cutOff);
  return (
    <div className={`answer${attempt} with-gutter`} data-item={item.key} aria-busy={live !== null}>
      {reasoning && <Reasoning text={reasoning} ms={isThinking ? null : thoughtMs} thinking={isThinking} />}
      {text === "" ? null : <Markdown text={item.plan ? text.slice(0, item.plan.from) : text} />}
      {item.plan ? <PlanCard item={item.plan.item} /> : null}
      {text === "" || live !== null ? null : <AnswerGutter item={item} />}
      {item.stopped && <p className="quiet">{end}</p>}
    </div>
  );
}

/** What can be done with an answer, below it. */
function AnswerGutter({ item: { key, text, turn } }: { item: AnswerItem }) {
  const panel = usePanel();
  const markdown = useCopy(t("Copy as Markdown"), () => text, "markdown");
  const box = useRef<HTMLDivElement>(null);
  // The drawn text, unless a part is cut or drawn.
  const shown = () => {
    const drawn = box.current?.closest(".answer")?.querySelector<HTMLElement>(".markdown");
    return drawn && !drawn.querySelector("[data-cut], .formula, .drawing") ? drawn.innerText : text;
  };
  const plain = useCopy(t("Copy as text"), shown);
  const canRetry = usePanelState(
    ({ session }) => turn > 0 && session.run === "idle" && !session.readOnly && session.prompts[turn] !== undefined,
  );
  const open = () => panel.ask("openAnswer", { markdown: text });
  const inView = () => panel.ask("openInView", { requestId: key });
  const retry = () => panel.talk.retry(turn);
  return (
    <Gutter box={box} label={t("Answer")}>
      <IconButton {...plain} />
      <IconButton {...markdown} />
      <IconButton icon="go-to-file" label={t("Open as Markdown")} onClick={open} />
      <IconButton icon="law" label={t("Which instructions were in view")} onClick={inView} />
      {canRetry && <IconButton icon="refresh" label={t("Send your message again")} onClick={retry} />}
    </Gutter>
  );
}

/** The model's thoughts, closed at first. @param ms how long it thought; null: not known */
function Reasoning({ text, ms, thinking }: { text: string; ms: number | null; thinking: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="reasoning">
      <Toggle open={open} className="reasoning-toggle" onClick={() => setOpen(!open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span className={thinking ? "shimmer" : ""}>{thinking ? t("Thinking") : thoughtWords(ms)}</span>
      </Toggle>
      {open ? (
        <div className="reasoning-text">
          <Markdown text={text} />
        </div>
      ) : null}
    </div>
  );
}

/** "Thought for 12 s"; a moment is no time to speak of. */
const thoughtWords = (ms: number | null) =>
  ms === null || ms < 1000 ? t("Thoughts") : t("Thought for {0}", formatDuration(ms));
