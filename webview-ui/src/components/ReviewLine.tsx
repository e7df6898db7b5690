import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { reviewWords, seenFiles } from "../store/review";
import { count } from "../text/format";

/** What nobody looked at yet of the agent's changes, of all turns: "2 files, 7 changes to review", and what can be done with them. */
export function ReviewLine() {
  const panel = usePanel();
  const files = usePanelState(state => state.session.review);
  const readOnly = usePanelState(state => state.session.readOnly);
  if (files.length === 0) return null;
  const what = reviewWords(files);
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
            <LinkButton
              title={`Keep ${what}, of all turns: they were looked at`}
              onClick={() => panel.ask("keepChanges", { files: seenFiles(files) })}
            >
              Keep all
            </LinkButton>
            <LinkButton
              title={`Undo ${what}, of all turns; what you typed since stays`}
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
