import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { visibleLine } from "../text/format";

/** The plan that is carried out, "Plan: Round half up": it stands in every request until its todos are done, or somebody ends it. */
export function PlanLine() {
  const panel = usePanel();
  const plan = usePanelState(state => state.session.plan);
  const canEnd = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  if (plan === null) return null;
  const { turn, title } = plan;
  return (
    <section className="review-line" aria-label="Plan under way">
      <Icon name="run-all" />
      <span className="review-words">{title === "" ? "A plan is carried out" : `Plan: ${visibleLine(title)}`}</span>
      <LinkButton title="Open the plan as it is carried out" onClick={() => panel.ask("openRunningPlan", { turn })}>
        Open
      </LinkButton>
      {canEnd ? (
        <LinkButton
          title="The agent does not follow it any more, and its todo list is emptied. Files stay as they are."
          onClick={() => panel.ask("endPlan", { turn })}
        >
          End
        </LinkButton>
      ) : null}
    </section>
  );
}
