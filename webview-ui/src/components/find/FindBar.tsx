import { type KeyboardEvent, useEffect, useRef } from "react";
import { locale, t } from "../../../../src/shared/l10n";
import { IconButton } from "../../controls/controls";
import { focusComposer } from "../../controls/focus";
import type { FindState } from "../../panel/find";
import { usePanel, useSpoken } from "../../panel/hooks";
import { useFindState } from "./useFind";

/** Finds words in the whole conversation, as VS Code does in a file. */
export function FindBar() {
  const isOpen = useFindState(({ open }) => open);
  return isOpen ? <OpenBar /> : null;
}

function OpenBar() {
  const { find } = usePanel();
  const { query, problem } = useFindState(state => state);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const take = () => {
      if (document.activeElement !== input.current) before.current = document.activeElement;
      input.current?.focus({ preventScroll: true });
      input.current?.select();
    };
    take();
    return find.opened.on(take);
  }, [find]);
  const close = () => {
    const { current } = before;
    find.close();
    if (current instanceof HTMLElement && current.isConnected && current !== document.body)
      current.focus({ preventScroll: true });
    else focusComposer();
  };
  const turnCase = () => find.ask({ matchCase: !query.matchCase });
  const turnWord = () => find.ask({ wholeWord: !query.wholeWord });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isToggle = navigator.platform.startsWith("Mac") ? event.metaKey && event.altKey : event.altKey;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === input.current) find.step(event.shiftKey ? -1 : 1);
    else if (isToggle && event.code === "KeyC") turnCase();
    else if (isToggle && event.code === "KeyW") turnWord();
    else return;
    event.preventDefault();
  };
  return (
    <search className="find" aria-label={t("Find in conversation")} onKeyDown={onKeyDown}>
      <div className="find-line">
        <div className="find-box">
          <input
            ref={input}
            className="find-input"
            aria-label={t("Find")}
            placeholder={t("Find")}
            value={query.text}
            spellCheck={false}
            onChange={({ target }) => find.ask({ text: target.value })}
          />
          <IconButton icon="case-sensitive" label={t("Match case")} aria-pressed={query.matchCase} onClick={turnCase} />
          <IconButton
            icon="whole-word"
            label={t("Match whole word")}
            aria-pressed={query.wholeWord}
            onClick={turnWord}
          />
        </div>
        <div className="find-steps">
          <FindCount />
          <IconButton icon="arrow-up" label={t("Previous match")} onClick={() => find.step(-1)} />
          <IconButton icon="arrow-down" label={t("Next match")} onClick={() => find.step(1)} />
          <IconButton icon="close" label={t("Close find")} onClick={close} />
        </div>
      </div>
      {problem === null ? null : (
        <p className="find-problem" role="alert">
          {problem}
        </p>
      )}
    </search>
  );
}

function FindCount() {
  const state = useFindState(each => each);
  const words = countWords(state);
  useSpoken(state.searching ? "" : words);
  const none = state.total === 0 && state.query.text !== "" && !state.searching;
  return <span className={none ? "find-count none" : "find-count"}>{words}</span>;
}

function countWords({ query, total, searching, at }: FindState): string {
  if (query.text === "") return "";
  if (total === 0) return searching ? t("Searching…") : t("No results");
  return t("{0} of {1}", ((at ?? -1) + 1).toLocaleString(locale()), total.toLocaleString(locale()));
}
