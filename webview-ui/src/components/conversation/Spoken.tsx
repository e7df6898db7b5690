/**
 * For screen readers. The page has one polite region; questions and failures are assertive where they stand. The conversation is
 * none: an answer that streams would be read out word by word. It is said once, when it is whole.
 */
import { useEffect, useRef, useState } from "react";
import { stateWord } from "../../../../src/shared/entry";
import { t } from "../../../../src/shared/l10n";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import { findEnd } from "../../store/items";
import { capital } from "../../text/format";
import { endingWords } from "./TurnEnd";

/** So many of the newest words stand in the region: what comes quickly is said one after the other. */
const KEPT = 4;
/** Nobody comes upon what was said long ago: ms. */
const CLEARED_MS = 5_000;

/** Stands before what speaks, so that it hears the first words. */
export function SpokenRegion() {
  const { spoken } = usePanel();
  const count = useRef(0);
  const [said, setSaid] = useState<readonly { key: number; words: string }[]>([]);
  useEffect(
    () =>
      spoken.on(words => {
        count.current += 1;
        const key = count.current;
        setSaid(before => [...before.slice(1 - KEPT), { key, words }]);
        setTimeout(() => setSaid(before => before.filter(each => each.key !== key)), CLEARED_MS);
      }),
    [spoken],
  );
  return (
    <div className="visually-hidden" role="status" aria-atomic="false" aria-relevant="additions">
      {said.map(({ key, words }) => (
        <p key={key}>{words}</p>
      ))}
    </div>
  );
}

/** What the session is doing, when it changes. */
export function SpokenStatus() {
  const { phase, session } = usePanelState(state => state);
  const { run, progress, items, lastEnd } = session;
  const { step } = session.counters;
  const worked = useRef(false);
  if (phase === "loading") worked.current = false;
  else if (run !== "idle") worked.current = true;
  const idle = () => {
    const end = findEnd(items, lastEnd);
    return worked.current && end && end.reason !== "error" ? endingWords(end) : t("Ready");
  };
  const running = () => (step > 0 ? t("Running, step {0}", step) : capital(stateWord("running")));
  // A question is said by its card.
  const words = { idle, running, asking: () => "", stopping: () => t("Stopping") };
  useSpoken(phase === "loading" ? t("Opening the session") : progress ? t("Compacting history") : words[run]());
  return null;
}

/** Who wants all of a long answer reads it in the conversation: characters. */
const MAX_SPOKEN = 600;

/** An answer, once it is whole: as the page shows it, so that no address of a link is spelt out. */
export function SpokenAnswer() {
  const { spoken } = usePanel();
  const streams = usePanelState(state => state.session.live?.requestId ?? null, true);
  const last = useRef<string>(null);
  useEffect(() => {
    const ended = last.current;
    last.current = streams;
    if (ended === null || ended === streams) return;
    const drawn = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(ended)}"] .markdown`);
    const answer = drawn?.innerText.trim();
    if (answer) spoken.tell(answer.length > MAX_SPOKEN ? `${answer.slice(0, MAX_SPOKEN)}…` : answer);
  }, [spoken, streams]);
  return null;
}
