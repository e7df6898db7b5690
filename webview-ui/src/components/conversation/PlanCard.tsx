import { useId } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import { modeWords } from "../../../../src/shared/settingValues";
import { Button, Icon, LinkButton, useBusy } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { SplitButton } from "../../controls/SplitButton";
import { usePanel, usePanelState } from "../../panel/hooks";
import { find } from "../../store/items";
import type { PlanItem, SessionView } from "../../store/state";
import { doneTodos } from "../../store/status";
import { ModeWords } from "../composer/ModePicker";

/** How a plan is carried out unless a person says otherwise, and how else it can be: in any mode but its own. */
const DEFAULT_MODE = "ask";
const otherModes = ["edits", "auto"] as const;

/** A plan: it is read, edited and remarked on in the editor; from here it is opened, carried out, sent back. */
export function PlanCard({ item }: { item: PlanItem }) {
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
      <LaterActions item={item} />
    </section>
  );
}

/** How far it is: "3 steps", then "1 of 3 done", at the end "carried out" or "ended". */
function usePlanWords({ op, turn, steps, ended }: PlanItem): string {
  return usePanelState(({ session }) => {
    if (op === "proposed") return steps === 0 ? t("no steps") : plural(steps, "1 step", "{0} steps");
    if (session.plan?.turn !== turn) return ended ? t("ended") : t("carried out");
    return session.todos.length === 0
      ? t("in progress")
      : t("{0} of {1} done", doneTodos(session), session.todos.length);
  });
}

/** The newest proposal, while nothing runs. */
function openPlanOf({ openPlan, run, readOnly, items }: SessionView): PlanItem | undefined {
  if (openPlan === null || run !== "idle" || readOnly) return undefined;
  const item = find(items, openPlan);
  return item?.kind === "plan" ? item : undefined;
}

/** A plan that was proposed just now waits above the composer, as all does that waits for a person. */
export function OpenPlan() {
  const item = usePanelState(({ session }) => {
    const plan = openPlanOf(session);
    return plan?.turn === session.turn ? plan : undefined;
  });
  return item === undefined ? null : <PlanQuestion key={item.key} item={item} />;
}

function PlanQuestion({ item }: { item: PlanItem }) {
  const id = useId();
  const box = useFocusHandedOn<HTMLElement>();
  const steps = usePlanWords(item);
  return (
    <section ref={box} className="waiting plan-question" aria-labelledby={id}>
      <p className="approval-head">
        <span id={id} className="approval-title">
          {t("Carry out this plan?")}
        </span>
        <span className="quiet">{steps}</span>
      </p>
      <PlanActions item={item} />
    </section>
  );
}

/** Of one that other turns came after, in its card. */
function LaterActions({ item }: { item: PlanItem }) {
  const isOpen = usePanelState(({ session }) => session.turn !== item.turn && openPlanOf(session)?.key === item.key);
  return isOpen ? <PlanActions item={item} /> : null;
}

function PlanActions({ item: { key } }: { item: PlanItem }) {
  const panel = usePanel();
  // A card stays when its buttons go.
  const row = useFocusHandedOn<HTMLDivElement>();
  // Whichever was pressed: another answer to the same plan has to wait for what becomes of this one.
  const { busy, run } = useBusy((work: () => Promise<unknown>) => work());
  const carryOut = (mode: typeof DEFAULT_MODE | (typeof otherModes)[number]) =>
    run(() => panel.ask("carryOutPlan", { key, mode }));
  const ways = otherModes.map(mode => ({ key: mode, words: <ModeWords mode={mode} />, run: () => carryOut(mode) }));
  return (
    <>
      <p className="quiet plan-hint">
        <LinkButton onClick={() => panel.ask("openPlan", { key })}>{t("Edit it before you start")}</LinkButton>
        {" · "}
        {t("A line that begins with > is a comment.")}
      </p>
      <div ref={row} className="button-row">
        <SplitButton
          menuLabel={t("More ways to carry it out")}
          items={ways}
          aria-disabled={busy}
          title={modeWords(DEFAULT_MODE).meaning}
          onClick={() => carryOut(DEFAULT_MODE)}
        >
          {t("Carry out")}
        </SplitButton>
        <Button
          aria-disabled={busy}
          title={t("The agent gets your changes and comments, and rewrites the plan")}
          onClick={() => run(() => panel.ask("sendPlanBack", { key }))}
        >
          {t("Send back")}
        </Button>
      </div>
    </>
  );
}
