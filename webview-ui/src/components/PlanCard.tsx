import { useState } from "react";
import { modeDescriptions, modeName } from "../../../src/shared/settingValues";
import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import type { PlanNote } from "../store/state";
import { count } from "../text/format";

/** How a plan can be carried out: any mode but its own. */
const modes = ["ask", "edits", "auto"] as const;

/** A plan: it is read, edited and remarked on in the editor; from here it is opened, carried out, sent back. */
export function PlanCard({ item }: { item: PlanNote }) {
  const panel = usePanel();
  const name = item.title === "" ? "Plan" : item.title;
  const size = item.steps === 0 ? "no steps" : count(item.steps, "step");
  const carriedOut = item.op === "carried-out";
  return (
    <section
      className="plan"
      data-item={item.key}
      aria-label={carriedOut ? `Plan in progress: ${name}` : `Plan: ${name}`}
    >
      <button
        type="button"
        className="plan-name"
        title="Open the plan in the editor"
        onClick={() => panel.ask("openPlan", { key: item.key })}
      >
        <Icon name={carriedOut ? "run-all" : "checklist"} />
        <span className="plan-title">{name}</span>
        <span className="quiet">{carriedOut ? `carried out · ${size}` : size}</span>
      </button>
      <PlanActions item={item} />
    </section>
  );
}

/** Of the newest proposal, while nothing runs. */
function PlanActions({ item }: { item: PlanNote }) {
  const panel = usePanel();
  const [mode, setMode] = useState<(typeof modes)[number]>("ask");
  const [asked, setAsked] = useState(false);
  const isOpen = usePanelState(
    ({ session }) => session.openPlan === item.key && session.run === "idle" && !session.readOnly,
  );
  if (!isOpen) return null;
  const act = async (work: Promise<unknown>) => {
    setAsked(true);
    await work;
    setAsked(false);
  };
  const { key } = item;
  return (
    <>
      <p className="quiet plan-hint">
        <LinkButton onClick={() => panel.ask("openPlan", { key })}>Edit it</LinkButton> before you start.{" "}
        <code>&gt;</code> marks a comment.
      </p>
      <div className="button-row">
        <button
          type="button"
          className="button primary"
          disabled={asked}
          onClick={() => act(panel.ask("carryOutPlan", { key, mode }))}
        >
          Carry out
        </button>
        <select
          className="plan-mode"
          aria-label="What runs without asking"
          title={modeDescriptions[mode]}
          value={mode}
          onChange={({ target }) => setMode(modes.find(each => each === target.value) ?? mode)}
        >
          {modes.map(each => (
            <option key={each} value={each}>
              {modeName(each)}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button"
          disabled={asked}
          title="The agent gets your changes and comments, and rewrites the plan"
          onClick={() => act(panel.ask("sendPlanBack", { key }))}
        >
          Send back
        </button>
      </div>
    </>
  );
}
