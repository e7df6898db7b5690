import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { count } from "../text/format";

/** What nobody looked at yet of the agent's changes: "3 files, 7 changes to review", and what can be done with all of them. */
export function ReviewLine() {
  const panel = usePanel();
  const files = usePanelState(state => state.session.review);
  const readOnly = usePanelState(state => state.session.readOnly);
  if (files.length === 0) return null;
  const changes = files.reduce((sum, file) => sum + file.changes, 0);
  return (
    <section className="review-line" aria-label="Changes to review">
      <Icon name="diff" />
      <span className="review-words">
        {count(files.length, "file")}, {count(changes, "change")} to review
      </span>
      <span className="review-actions">
        <LinkButton title="Go to the next change in the editor" onClick={() => panel.act("review-next")}>
          Next
        </LinkButton>
        {readOnly ? null : (
          <>
            <LinkButton title="All of them were looked at" onClick={() => panel.act("review-keep-all")}>
              Keep all
            </LinkButton>
            <LinkButton
              title="Take all of them back; what you typed since stays"
              onClick={() => panel.act("review-undo-all")}
            >
              Undo all
            </LinkButton>
          </>
        )}
      </span>
    </section>
  );
}
