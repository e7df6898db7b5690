import { rewindWords } from "../../../../src/shared/entry";
import { inSentences } from "../../../../src/shared/format";
import { plural, t } from "../../../../src/shared/l10n";
import type { PanelParams, PanelResult } from "../../../../src/shared/panelProtocol";
import type { Forks } from "../../../../src/shared/panelSnapshot";
import { Button, Icon, IconButton, LinkButton } from "../../controls/controls";
import { onEscape, useFocusHandedOn } from "../../controls/focus";
import { SplitButton } from "../../controls/SplitButton";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { ItemOf } from "../../store/state";

/** That files or the conversation went back, with the way back from there. */
export function RewindMark({ item: { record } }: { item: ItemOf<"rewind"> }) {
  const panel = usePanel();
  const { turn, cutOff, stayed = [], rewindId } = record;
  const canUndo = usePanelState(
    ({ session }) => session.run === "idle" && !session.readOnly && session.rewound === rewindId,
  );
  // Another branch was gone over to: its messages say so.
  if (turn === 0) return null;
  return (
    <div className={`note rewound ${cutOff ? "warning" : "info"}`}>
      <Icon name="discard" />
      <div className="note-text">
        {rewindWords(record)}
        {stayed.map(line => (
          <p key={line} className="quiet">
            {line}
          </p>
        ))}
        {canUndo ? (
          <div className="button-row">
            <LinkButton title={t("Undo going back")} onClick={() => panel.ask("undoRewind", { rewindId })}>
              {t("Undo")}
            </LinkButton>
          </div>
        ) : null}
      </div>
    </div>
  );
}

export type Preview = PanelResult<"previewRewind">;
type RewindScope = PanelParams<"rewind">["what"];

/** What becomes of the turns that leave. */
export const branchWords = (turns: number) =>
  plural(turns, "1 turn moves to another branch. You can return.", "{0} turns move to another branch. You can return.");

const fates = {
  changed: { icon: "diff-modified", words: () => t("goes back") },
  created: { icon: "diff-added", words: () => t("comes back") },
  deleted: { icon: "diff-removed", words: () => t("is deleted") },
};

/** It is read, and its keys are at hand, once it is there. */
function begin(box: HTMLElement | null): void {
  box?.focus({ preventScroll: true });
  box?.scrollIntoView({ block: "nearest" });
}

type RewindPreviewProps = { preview: Preview; text: string; close(): void };

/**
 * Back to before this message: first the effects, then the button, which has all of them; its menu has each that is there.
 * @param text was said there, and can be said otherwise
 */
export function RewindPreview({ preview: { turn, turns, files, stays, gaps }, text, close }: RewindPreviewProps) {
  const panel = usePanel();
  const rewind = async (what: RewindScope) => {
    close();
    if ((await panel.ask("rewind", { turn, what })) !== undefined && what !== "files") panel.compose(text);
  };
  const choice = (what: RewindScope, words: string) => ({ key: what, words, run: () => void rewind(what) });
  const hasFiles = files.length > 0;
  const parts = hasFiles ? [choice("files", t("Files only")), choice("conversation", t("Conversation only"))] : [];
  const none = t("No files would change.");
  const effect = hasFiles ? plural(files.length, "1 file would change.", "{0} files would change.") : none;
  const label = t("Go back to before turn {0}", turn);
  const goBack = () => rewind(hasFiles ? "both" : "conversation");
  return (
    <section ref={begin} className="rewind-preview" aria-label={label} tabIndex={-1} onKeyDown={onEscape(close)}>
      <p>{inSentences([effect, branchWords(turns)])}</p>
      <ul>
        {files.map(({ uri, path, becomes, merged, during }) => (
          <li key={uri}>
            <Icon name={fates[becomes].icon} /> {path}
            <span className="quiet">
              {" · "}
              {fates[becomes].words()}
              {merged ? ` · ${t("later changes stay")}` : ""}
              {during && ` · ${t("made while this ran:")} `}
              {during && <code>{during}</code>}
            </span>
          </li>
        ))}
      </ul>
      {[...stays, ...gaps].map(line => (
        <p key={line} className="quiet">
          <Icon name="info" /> {line}
        </p>
      ))}
      <div className="button-row">
        <SplitButton menuLabel={t("Go back with a part")} items={parts} onClick={goBack}>
          {t("Go back")}
        </SplitButton>
        <Button onClick={close}>{t("Cancel")}</Button>
      </div>
    </section>
  );
}

/** Where the conversation forked: one click to the other branch. */
export function BranchSwitch({ messageId }: { messageId: string }) {
  const fork = usePanelState(({ session }) => session.forks.find(each => each.messageId === messageId));
  return fork && <Branches {...fork} />;
}

function Branches({ tips, current }: Forks[number]) {
  const panel = usePanel();
  const idle = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  // They go with their branch.
  const box = useFocusHandedOn<HTMLDivElement>();
  const arrow = (icon: string, label: string, tip: number | undefined) => (
    <IconButton
      icon={icon}
      label={label}
      // Disabled it would lose the focus.
      aria-disabled={!idle || tip === undefined}
      onClick={() => void (idle && tip !== undefined && panel.ask("switchBranch", { tip }))}
    />
  );
  return (
    <div ref={box} className="branches">
      {arrow("chevron-left", t("Previous branch"), tips[current - 1])}
      <span>{t("Branch {0} of {1}", current + 1, tips.length)}</span>
      {arrow("chevron-right", t("Next branch"), tips[current + 1])}
    </div>
  );
}
