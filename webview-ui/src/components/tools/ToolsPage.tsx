import { type ReactNode, useCallback, useEffect, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import type { ToolRow, ToolSection, ToolSectionName } from "../../../../src/shared/panelProtocol";
import { Button, Icon, IconButton, LinkButton, useBusy, WithCode } from "../../controls/controls";
import { type GridRow, RowGrid, useOpenRows } from "../../controls/RowGrid";
import { MoreMenu, SplitButton } from "../../controls/SplitButton";
import { useAnswer } from "../../panel/answers";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { exactText, visibleText } from "../../text/format";
import { Consent, useServers, Warnings } from "./servers";

const askTools = (panel: Panel) => panel.ask("tools", {});

/** What there is for the agent here, and what is in force, in an editor tab. @param first the part that is shown first */
export function ToolsPage({ first }: { first: ToolSectionName | undefined }) {
  const panel = usePanel();
  const surroundings = usePanelState(state => state.surroundings);
  const notice = usePanelState(state => state.notice);
  const [changes, setChanges] = useState(0);
  useEffect(() => void panel.open(), [panel]);
  const again = useCallback(() => setChanges(count => count + 1), []);
  useEffect(() => panel.onMcpChanged(again), [panel, again]);
  const cause = `${changes} ${JSON.stringify(surroundings)}`;
  const known = useAnswer(askTools, { cause, onFocus: true });
  const servers = useServers(cause);
  const isKnown = known !== null && servers !== null;
  useGoTo(first, isKnown);
  return (
    <main className="page tools">
      <h1>{t("Tools and Rules")}</h1>
      {notice ? <p role="alert">{notice.text}</p> : null}
      {isKnown ? (
        <>
          <ModelSection />
          <Section name="servers" {...servers} />
          {known.sections.map(section => (
            <HostSection key={section.name} section={section} again={again} />
          ))}
        </>
      ) : notice ? (
        <LinkButton onClick={again}>{t("Retry")}</LinkButton>
      ) : (
        <p className="quiet">{t("Loading…")}</p>
      )}
    </main>
  );
}

/** The part that a command names has the focus. */
function useGoTo(first: ToolSectionName | undefined, isKnown: boolean): void {
  const panel = usePanel();
  const [wanted, setWanted] = useState<{ name: string } | undefined>(first && { name: first });
  useEffect(() => panel.onViewAsked(name => setWanted({ name })), [panel]);
  useEffect(() => {
    if (!isKnown || wanted === undefined) return;
    const section = document.getElementById(`tools-${wanted.name}`);
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>("[data-row], button, input")?.focus({ preventScroll: true });
    setWanted(undefined);
  }, [isKnown, wanted]);
}

interface PartProps {
  name: ToolSectionName;
  rows: readonly GridRow[];
  /** where there are no rows */
  none?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

function Section({ name, rows, none, action, children }: PartProps) {
  const title = sectionTitles()[name];
  return (
    <section id={`tools-${name}`} aria-labelledby={`title-${name}`}>
      <div className="tools-head">
        <h2 id={`title-${name}`}>{title}</h2>
        {action}
      </div>
      {rows.length > 0 ? <RowGrid label={title} rows={rows} /> : <p className="quiet tools-none">{none}</p>}
      {children}
    </section>
  );
}

const sectionTitles = (): Readonly<Record<ToolSectionName, string>> => ({
  model: t("Model"),
  servers: t("MCP servers"),
  skills: t("Skills, prompts and agents"),
  hooks: t("Hooks"),
  rules: t("Rules files"),
  bindings: t("Sentences that bind"),
  permissions: t("Permissions"),
  denials: t("What you said no to (this session)"),
});

function ModelSection() {
  const panel = usePanel();
  const model = usePanelState(state => state.surroundings?.model);
  const isReady = model?.state === "ready";
  const row: GridRow = {
    ...{ key: "model", level: 1, name: isReady ? visibleText(model.name) : t("No model yet.") },
    ...{ note: isReady ? visibleText(model.address) : "", icon: isReady ? "pass-filled" : "circle-outline" },
    actions: <Button onClick={() => panel.act("choose-model")}>{t("Choose…")}</Button>,
  };
  return <Section name="model" rows={[row]} />;
}

function HostSection({ section: { name, rows, none }, again }: { section: ToolSection; again: () => void }) {
  const panel = usePanel();
  const [open, toggle] = useOpenRows<string>();
  const isRules = name === "permissions";
  const settings = t("Open settings");
  return (
    <Section
      name={name}
      none={<WithCode text={none} />}
      rows={[...keyed(rows)].map(([key, row]) =>
        gridRow(panel, row, { key, open: open.has(key), toggle: () => toggle(key), again }),
      )}
      action={
        isRules ? <IconButton icon="gear" label={settings} onClick={() => panel.act("permission-settings")} /> : null
      }
    >
      {isRules ? <TryCommand /> : null}
    </Section>
  );
}

/** Those that say the same are one. */
const keyed = (rows: readonly ToolRow[]) =>
  new Map(rows.map(row => [row.denialId ?? JSON.stringify([row.name, row.from, row.warnings]), row]));

function gridRow(
  panel: Panel,
  row: ToolRow,
  { key, open, toggle, again }: { key: string; open: boolean; toggle(): void; again(): void },
): GridRow {
  const { name, icon, state, from, detail, lines = [], warnings = [], path, approval, denialId, binding } = row;
  const question = approval?.question;
  const opens = detail !== undefined || lines.length > 0 || question !== undefined;
  const opensFile = () => (path === "" ? panel.act("new-rules") : panel.openFile(path ?? ""));
  const approve = (yes: boolean) => panel.ask("approveHooks", { key: approval?.key ?? "", yes }).then(again);
  const label = t("More actions for {0}", visibleText(name));
  const lift = () => panel.ask("lift", { which: denialId ?? "", by: "user" }).then(again);
  const bind: Bind = to => panel.ask("bind", { key: binding?.key ?? "", to }).then(again);
  const revoke = { key: "revoke", words: t("Revoke"), run: () => void approve(false) };
  return {
    ...{ key, level: 1, name: visibleText(name) },
    note: [state, from === name ? undefined : from]
      .filter(Boolean)
      .map(each => visibleText(each ?? ""))
      .join(" · "),
    icon,
    ...(opens ? { open, activate: toggle } : path !== undefined ? { activate: opensFile } : {}),
    actions:
      path === "" ? (
        <Button onClick={opensFile}>{t("Create")}</Button>
      ) : denialId !== undefined ? (
        <Button onClick={lift}>{t("Lift")}</Button>
      ) : binding ? (
        <Binding {...{ name: visibleText(name), to: binding.to, bind }} />
      ) : approval && !question ? (
        <MoreMenu inList label={label} items={[revoke]} />
      ) : null,
    body:
      warnings.length > 0 || (opens && open) ? (
        <>
          <Warnings texts={warnings} />
          {open && detail ? <p>{visibleText(detail)}</p> : null}
          {open && question && approval ? (
            <Consent
              title={t("Run the hooks in {0}?", visibleText(name))}
              words={question.words}
              hash={approval.key}
              yes={t("Allow")}
              approve={() => approve(true)}
            >
              <pre>{exactText(question.exact)}</pre>
            </Consent>
          ) : open && lines.length > 0 ? (
            <pre>{lines.map(exactText).join("\n")}</pre>
          ) : null}
        </>
      ) : undefined,
  };
}

type Bind = (to: "user" | "workspace") => Promise<unknown>;

/** One click binds a sentence where it most likely belongs, or unbinds it. */
function Binding({ name, to, bind }: { name: string; to: NonNullable<ToolRow["binding"]>["to"]; bind: Bind }) {
  const { busy, run } = useBusy(bind);
  const places = { user: t("Bind in your settings"), workspace: t("Bind in this workspace") };
  const [first = "user", ...others] = to;
  const items = others.map(key => ({ key, words: places[key], run: () => run(key) }));
  const [words, title] = items.length > 0 ? [t("Bind"), places[first]] : [t("Unbind"), t("Unbind")];
  const label = { "aria-label": title, title, menuLabel: t("More actions for {0}", name), primary: false, items };
  return (
    <SplitButton {...label} aria-disabled={busy} onClick={() => run(first)}>
      {words}
    </SplitButton>
  );
}

/** What would be decided about a command, as it is typed. */
function TryCommand() {
  const [command, setCommand] = useState("");
  const ask = async (panel: Panel) => {
    const tried = command.trim() === "" ? undefined : await panel.ask("tryCommand", { command });
    return tried && { ...tried, command };
  };
  const tried = useAnswer(ask, { cause: command });
  const shown = tried?.command === command ? tried : undefined;
  const words = visibleText(shown?.words ?? "");
  useSpoken(words);
  const label = t("Type a command to see whether it would run, and why");
  return (
    <div className="tools-try">
      <input
        className="field"
        aria-label={label}
        placeholder={label}
        maxLength={20_000}
        value={command}
        onChange={event => setCommand(event.target.value)}
      />
      {shown ? (
        <p>
          <Icon name={shown.icon} /> <WithCode text={words} />
        </p>
      ) : null}
    </div>
  );
}
