import { useState } from "react";
import { costText } from "../../../../src/shared/cost";
import { stateWord } from "../../../../src/shared/entry";
import { plural, t } from "../../../../src/shared/l10n";
import { actionTitle } from "../../../../src/shared/outcomeSaid";
import { toolTraits } from "../../../../src/shared/toolTraits";
import { Icon, IconButton, LinkButton, SPINNER, Toggle, WithCode } from "../../controls/controls";
import { focusComposer } from "../../controls/focus";
import { useNow, usePanel, usePanelState } from "../../panel/hooks";
import { spentBy } from "../../store/children";
import type { ChildView, ToolItem } from "../../store/state";
import { formatClock, formatDuration, formatTokens, visibleLine } from "../../text/format";
import { refusalWords } from "../../text/toolWords";
import { ChangeCount } from "../changes/Diff";
import { EditDetails, ToolBody } from "./ToolBody";
import { Answered } from "./ToolCard";

/** An agent that works for this one: its kind, its task and its time, and below that what it does now or how it ended. */
export function ChildCard({ tool, childId }: { tool: ToolItem; childId: string }) {
  const panel = usePanel();
  const child = usePanelState(({ session }) => session.children[childId]);
  const isIdle = usePanelState(({ session }) => session.run === "idle");
  const [open, setOpen] = useState(false);
  if (!child?.begun) return null;
  const { agent } = child.begun;
  const title = visibleLine(child.begun.title);
  const { look, icon, words } = stateOf(child, isIdle);
  const changes = child.changed.flatMap(({ changes = [] }) => changes);
  const canOpen = tool.input !== null || tool.outcome !== null || changes.length > 0;
  const show = () => void panel.openSession(childId).then(focusComposer);
  return (
    <div className={`tool child ${look} stays${child.live ? "" : " ended"}`} data-tool="Task" data-item={tool.key}>
      <div className="tool-line">
        <Toggle open={open} className="tool-toggle" disabled={!canOpen} onClick={() => setOpen(!open)}>
          <Icon name={icon} className="tool-icon" />
          <Icon name={open ? "chevron-down" : "chevron-right"} className="tool-chevron" />
          <span className="tool-verb">{visibleLine(agent)}</span>
          <span className="tool-object cut" title={title}>
            {title}
          </span>
          <span className="tool-outcome">
            {changes.length > 0 ? <ChangeCount changes={changes} /> : null}
            <Time child={child} />
          </span>
        </Toggle>
        <span className="tool-actions">
          {child.live && child.live.state !== "stopping" ? (
            <IconButton
              icon="debug-stop"
              label={t("Stop: {0}", title)}
              onClick={() => panel.ask("stopChild", { childId })}
            />
          ) : null}
          {child.live?.state === "waiting" ? null : (
            <LinkButton title={t("Open the conversation of this agent")} onClick={show}>
              {t("Open")}
            </LinkButton>
          )}
        </span>
      </div>
      <p className="child-line">
        <span className="tool-words cut" title={words}>
          {words}
        </span>
        <Spent child={child} />
      </p>
      <KeptTree child={child} childId={childId} />
      {open ? (
        <>
          {tool.input === null && tool.outcome === null ? null : <ToolBody tool={tool} output="" />}
          {changes.length > 0 ? (
            <div className="tool-body">
              {child.changed.map(record => (
                <EditDetails key={record.id} record={record} named acts />
              ))}
            </div>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

type ChildState = NonNullable<ChildView["live"]>["state"] | NonNullable<ChildView["ended"][number]["reason"]>;

/** By state: the class of its row, an icon in place of the tool's, and its word. */
const looks: Record<ChildState, { look: string; icon?: string; word(): string }> = {
  waiting: { look: "waits", icon: "circle-large", word: () => stateWord("waiting") },
  running: { look: "running", icon: SPINNER, word: () => t("Thinking") },
  asking: { look: "asking", icon: "question", word: () => t("asks you") },
  stopping: { look: "running", icon: SPINNER, word: () => t("Stopping") },
  done: { look: "success", word: () => stateWord("finished") },
  stopped: { look: "interrupted", icon: "circle-slash", word: () => stateWord("stopped") },
  interrupted: { look: "interrupted", icon: "circle-slash", word: () => stateWord("stopped") },
  error: { look: "error", icon: "error", word: () => stateWord("failed") },
  limit: { look: "partial", icon: "debug-pause", word: () => stateWord("paused") },
};

/** @param isIdle Its caller is: of one that began and is not heard of its process ended. */
function stateOf({ live, ended, changed }: ChildView, isIdle: boolean) {
  const last = ended.at(-1);
  const state = live?.state ?? last?.reason ?? (isIdle ? "interrupted" : "running");
  const { look, icon = toolTraits("Task").icon, word } = looks[state];
  const files = new Set(changed.flatMap(({ changes = [] }) => changes.map(({ uri }) => uri))).size;
  const said = live?.state === "running" ? visibleLine(live.doing) || word() : word();
  const words = [
    said,
    files > 0 && plural(files, "1 file changed", "{0} files changed"),
    !live && last?.why && visibleLine(last.why),
  ].filter(part => part !== false && part !== undefined);
  return { look, icon, words: words.join(" · ") };
}

/** Of one at work since it began; else how long it worked in all. */
function Time({ child: { live, ended } }: { child: ChildView }) {
  const isAtWork = live !== null && live.state !== "waiting";
  const now = useNow(isAtWork);
  const ms = ended.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  if (!isAtWork && ms === 0) return null;
  return (
    <span className="tool-time" aria-hidden={isAtWork}>
      {isAtWork ? formatClock(now - live.startedAt) : formatDuration(ms)}
    </span>
  );
}

/** "34k of 200k  $0.02" */
function Spent({ child }: { child: ChildView }) {
  const usage = spentBy(child);
  const tokens = usage.input + usage.output;
  const { budget } = child.begun ?? {};
  const all = formatTokens(tokens);
  return (
    <>
      {tokens === 0 ? null : (
        <span className="tool-time">
          {child.live && budget ? t("{0} of {1}", all, formatTokens(budget.tokens)) : t("{0} tokens", all)}
        </span>
      )}
      <span className="tool-time">{costText(usage)}</span>
    </>
  );
}

/** Its working tree stays where it has changes: a person looks at them. */
function KeptTree({ child: { begun, ended }, childId }: { child: ChildView; childId: string }) {
  const panel = usePanel();
  if (!ended.at(-1)?.keepsTree) return null;
  const words = t("Changes in its own working tree");
  return (
    <p className="child-line">
      <span className="cut" title={`${words}\n${visibleLine(begun?.worktree?.path ?? "")}`}>
        {words}
      </span>
      <LinkButton onClick={() => panel.ask("openChildDiffs", { childId })}>{t("Review")}</LinkButton>
    </p>
  );
}

/** What such an agent asked, once it was answered. Until then its row says so, and the card. */
export function AskedByChild({ tool }: { tool: ToolItem }) {
  const { key, approval } = tool;
  const { decision } = approval?.answer ?? {};
  if (approval === null || decision === undefined) return <Answered tool={tool} />;
  const isAllowed = decision === "allow";
  const title = actionTitle({ title: approval.action.title.replace(/\?$/, "") });
  const outcome = { error: { code: "DENIED" as const }, durationMs: 0 };
  const words = isAllowed ? t("Allowed") : refusalWords({ outcome, approval });
  return (
    <div className="note info" data-item={key}>
      <Icon name={isAllowed ? "check" : "circle-slash"} />
      <span className="note-text">
        <WithCode text={visibleLine(`${title} · ${words}`)} />
      </span>
    </div>
  );
}
