import { useState } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { PanelParams } from "../../../../src/shared/panelProtocol";
import { modeWords } from "../../../../src/shared/settingValues";
import { Button, Icon, IconButton, LinkButton, Toggle, useBusy } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { SplitButton } from "../../controls/SplitButton";
import { Markdown } from "../../markdown/Markdown";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { PlanItem } from "../../store/state";
import { doneTodos } from "../../store/status";
import { visibleLine } from "../../text/format";
import { ModeWords } from "../composer/ModePicker";
import { TodoList } from "../status/StatusDetails";

/** How a plan is carried out unless a person says otherwise, and how else it can be: in any mode but its own. */
const DEFAULT_MODE = "ask";
const otherModes = ["edits", "auto"] as const;

/** A plan, where it was proposed: its text and what can be done with it; once it is carried out, its steps and how far they are. */
export function PlanCard({ item }: { item: PlanItem }) {
  const panel = usePanel();
  const current = usePanelState(state => item.op === "carried-out" && state.session.plan?.turn === item.turn);
  const isProgress = usePanelState(state => current && state.session.todos.length > 0);
  const canAct = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  const state = usePlanWords(item);
  const [choice, setChoice] = useState<boolean | null>(null);
  // It is read before it is carried out; what a person opened or closed stays so.
  const isNewest = usePanelState(({ session }) => session.openPlan === item.key);
  const open = choice ?? isNewest;
  const name = item.title === "" ? t("Plan") : visibleLine(item.title);
  const label = current ? t("Plan in progress: {0}", name) : t("Plan: {0}", name);
  const show = () => panel.ask("openPlan", { key: item.key });
  return (
    <section className="plan" data-item={item.key} aria-label={label}>
      <div className="plan-head">
        <Toggle open={open} className="plan-name" onClick={() => setChoice(!open)}>
          <Icon name={open ? "chevron-down" : "chevron-right"} />
          <span className="plan-title cut">{name}</span>
          <span className="quiet">{state}</span>
        </Toggle>
        <IconButton icon="go-to-file" label={t("Open the plan in the editor")} onClick={show} />
      </div>
      {open ? isProgress ? <TodoList /> : <Markdown text={withoutTitle(item)} /> : null}
      {isNewest && canAct ? <PlanActions item={item} /> : null}
      {current && canAct ? <EndPlan turn={item.turn} /> : null}
    </section>
  );
}

/** The heading that the card has as its name. */
const withoutTitle = ({ text, title }: PlanItem) => (title === "" ? text : text.replace(/^#{1,6}\s.*\n+/, ""));

/** How far it is: "3 steps", then "1 of 3 done", at the end "carried out" or "ended". */
function usePlanWords({ op, turn, steps, ended }: PlanItem): string {
  return usePanelState(({ session }) => {
    if (op === "proposed") return steps === 0 ? t("no steps") : plural(steps, "1 step", "{0} steps");
    if (session.plan?.turn !== turn) return ended ? t("ended") : t("carried out");
    const { length } = session.todos;
    return length === 0 ? t("in progress") : t("{0} of {1} done", doneTodos(session), length);
  });
}

function EndPlan({ turn }: { turn: number }) {
  const panel = usePanel();
  const row = useFocusHandedOn<HTMLDivElement>();
  const title = t("The agent stops following it, and its todo list is cleared. Files stay as they are.");
  return (
    <div ref={row} className="button-row">
      <Button title={title} onClick={() => panel.ask("endPlan", { turn })}>
        {t("End plan")}
      </Button>
    </div>
  );
}

function PlanActions({ item: { key } }: { item: PlanItem }) {
  const panel = usePanel();
  // A card stays when its buttons go.
  const row = useFocusHandedOn<HTMLDivElement>();
  // Whichever was pressed: another answer to the same plan has to wait for what becomes of this one.
  const { busy, run } = useBusy((work: () => Promise<unknown>) => work());
  const carryOut = (mode: PanelParams<"carryOutPlan">["mode"]) => run(() => panel.ask("carryOutPlan", { key, mode }));
  const title = t("The agent gets your changes and comments, and rewrites the plan");
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
        <Button aria-disabled={busy} title={title} onClick={() => run(() => panel.ask("sendPlanBack", { key }))}>
          {t("Send back")}
        </Button>
      </div>
    </>
  );
}
