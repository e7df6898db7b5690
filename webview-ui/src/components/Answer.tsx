import { useState } from "react";
import { Icon, Toggle } from "../controls/controls";
import { Markdown } from "../markdown/Markdown";
import { usePanelState } from "../panel/hooks";
import type { AnswerItem } from "../store/state";
import { formatDuration } from "../text/format";

/** What the model wrote. While it streams, its text comes from `live`, so that a delta renders nothing but this. */
export function Answer({ item }: { item: AnswerItem }) {
  const live = usePanelState(state =>
    item.live && state.session.live?.requestId === item.key ? state.session.live : null,
  );
  const { text, reasoning, thoughtMs } = live ?? item;
  const isThinking = live !== null && live.thinkingSince !== null;
  return (
    <div className={item.cutOff === null ? "answer" : "answer attempt"} aria-busy={live !== null}>
      {reasoning === "" ? null : (
        <Reasoning text={reasoning} ms={isThinking ? null : thoughtMs} thinking={isThinking} />
      )}
      {text === "" ? null : <Markdown text={text} />}
      {item.stopped ? <p className="quiet">Stopped here.</p> : null}
      {item.cutOff === null ? null : (
        <p className="quiet">
          <Icon name="debug-disconnect" /> This answer was cut off{item.cutOff === "" ? "" : `: ${item.cutOff}`}
        </p>
      )}
    </div>
  );
}

/** The model's thoughts, closed until somebody wants them. @param ms how long it thought; null: not known */
function Reasoning({ text, ms, thinking }: { text: string; ms: number | null; thinking: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="reasoning">
      <Toggle open={open} className="reasoning-toggle" onClick={() => setOpen(!open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span className={thinking ? "shimmer" : ""}>{thinking ? "Thinking" : thoughtWords(ms)}</span>
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
  ms === null || ms < 1000 ? "Thoughts" : `Thought for ${formatDuration(ms)}`;
