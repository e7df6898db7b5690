import { useState } from "react";
import { plural, t } from "../../../src/shared/l10n";
import { modeWords } from "../../../src/shared/settingValues";
import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import type { PlanNote } from "../store/state";
import { doneTodos } from "../store/status";

/** How a plan can be carried out: any mode but its own. */
const modes = ["ask", "edits", "auto"] as const;

/** A plan: it is read, edited and remarked on in the editor; from here it is opened, carried out, sent back. */
export function PlanCard({ item }: { item: PlanNote }) {
  const panel = usePanel();
  const current = usePanelState(state => item.op === "carried-out" && state.session.plan?.turn === item.turn);
  const state = usePlanWords(item);
  const name = item.title === "" ? t("Plan") : item.title;
  const carriedOut = item.op === "carried-out";
  return (
    <section
      className="plan"
      data-item={item.key}
      aria-label={current ? t("Plan in progress: {0}", name) : t("Plan: {0}", name)}
    >
      <button
        type="button"
        className="plan-name"
        title={t("Open the plan in the editor")}
        onClick={() => panel.ask("openPlan", { key: item.key })}
      >
        <Icon name={carriedOut ? "run-all" : "checklist"} />
        <span className="plan-title">{name}</span>
        <span className="quiet">{state}</span>
      </button>
      <PlanActions item={item} />
    </section>
  );
}

/** How far it is: "3 steps", then "1 of 3 done", at the end "carried out" or "ended". */
function usePlanWords({ op, turn, steps, ended }: PlanNote): string {
  return usePanelState(({ session }) => {
    if (op === "proposed") return steps === 0 ? t("no steps") : plural(steps, "1 step", "{0} steps");
    if (session.plan?.turn !== turn) return ended ? t("ended") : t("carried out");
    return session.todos.length === 0
      ? t("in progress")
      : t("{0} of {1} done", doneTodos(session), session.todos.length);
  });
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
        <LinkButton onClick={() => panel.ask("openPlan", { key })}>{t("Edit it before you start")}</LinkButton>{" "}
        {t("A line that begins with > is a comment.")}
      </p>
      <div className="button-row">
        <button
          type="button"
          className="button primary"
          disabled={asked}
          onClick={() => act(panel.ask("carryOutPlan", { key, mode }))}
        >
          {t("Carry out")}
        </button>
        <select
          className="plan-mode"
          aria-label={t("What runs without asking")}
          title={modeWords(mode).meaning}
          value={mode}
          onChange={({ target }) => setMode(modes.find(each => each === target.value) ?? mode)}
        >
          {modes.map(each => (
            <option key={each} value={each}>
              {modeWords(each).name}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button"
          disabled={asked}
          title={t("The agent gets your changes and comments, and rewrites the plan")}
          onClick={() => act(panel.ask("sendPlanBack", { key }))}
        >
          {t("Send back")}
        </button>
      </div>
    </>
  );
}
