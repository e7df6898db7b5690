import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import type { ItemOf } from "../store/state";
import { count } from "../text/format";

/** That files or the conversation went back, with the way back from there. */
export function RewindMark({ item: { record } }: { item: ItemOf<"rewind"> }) {
  const panel = usePanel();
  const { turn, undoes, files, head, stayed = [], rewindId } = record;
  const canUndo = usePanelState(
    ({ session }) => session.run === "idle" && !session.readOnly && session.rewound === rewindId,
  );
  // Another branch was gone over to: its messages say so.
  if (turn === 0) return null;
  const what = [
    ...(files === undefined ? [] : [count(files, "file")]),
    ...(head === undefined ? [] : ["the conversation"]),
  ].join(" and ");
  const words = undoes === undefined ? `Rewound to before turn ${turn}: ${what}.` : `The rewind was undone: ${what}.`;
  return (
    <div className="note info">
      <Icon name="discard" />
      <div className="note-text">
        {words}{" "}
        {canUndo ? (
          <LinkButton onClick={() => panel.ask("undoRewind", { rewindId })}>Undo the rewind</LinkButton>
        ) : null}
        {stayed.map(line => (
          <p key={line} className="quiet">
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}
