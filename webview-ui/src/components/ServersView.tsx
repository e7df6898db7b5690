import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import type { McpServerRow } from "../../../src/shared/mcp";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import { Icon, IconButton, LinkButton, Toggle } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import { count, visibleText } from "../text/format";
import { ServerBody } from "./ServerBody";

const states: Record<McpServerRow["state"], { icon: string; words: string }> = {
  off: { icon: "circle-slash", words: "switched off" },
  unasked: { icon: "question", words: "needs approval" },
  idle: { icon: "circle-outline", words: "starts when needed" },
  starting: { icon: "loading codicon-modifier-spin", words: "starting" },
  "signing-in": { icon: "loading codicon-modifier-spin", words: "signing in" },
  running: { icon: "pass-filled", words: "runs" },
  failed: { icon: "error", words: "failed" },
  "signed-out": { icon: "account", words: "wants you to sign in" },
};

/** The MCP servers that are configured. Arrows move, Enter opens. */
export function ServersView() {
  const panel = usePanel();
  const known = useServers();
  const [opened, setOpened] = useState<string | null>(null);
  const shown = known?.servers.find(({ name }) => name === opened);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const rows = rowsIn(list.current);
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    if (event.key === "ArrowDown") rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (event.key === "ArrowUp") rows[Math.max(0, at - 1)]?.focus();
    else if (event.key === "Home") rows[0]?.focus();
    else if (event.key === "End") rows.at(-1)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the rows
    <div ref={list} className="servers" onKeyDown={onKeyDown}>
      <div className="servers-head">
        <h3 className="sessions-title">{t("MCP servers")}</h3>
        <IconButton icon="gear" label={t("Open mcp.json")} onClick={() => void panel.ask("mcpConfigure", {})} />
      </div>
      {known === null ? <p className="quiet sessions-empty">{t("Loading…")}</p> : null}
      {known?.servers.length === 0 ? <NoServers /> : null}
      <ul aria-label={t("MCP servers")}>
        {known?.servers.map(server => (
          <li key={server.name}>
            <ServerRow
              server={server}
              open={opened === server.name}
              toggle={() => setOpened(opened === server.name ? null : server.name)}
            />
            {server.notes?.map(note => (
              <p key={note} className="server-problem">
                <Icon name="warning" />
                <span>{visibleText(note)}</span>
              </p>
            ))}
            {opened === server.name ? <ServerBody server={server} /> : null}
          </li>
        ))}
      </ul>
      <Problems problems={known?.problems ?? []} />
      <div className="visually-hidden" role="status">
        {shown ? `${visibleText(shown.name)} ${states[shown.state].words}` : ""}
      </div>
    </div>
  );
}

const rowsIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>(".server") ?? [])];

/** As they are now; asked anew whenever one changes. null: not known yet */
function useServers(): PanelResult<"mcpServers"> | null {
  const panel = usePanel();
  const [known, setKnown] = useState<PanelResult<"mcpServers"> | null>(null);
  const newest = useRef(0);
  const refresh = useCallback(() => {
    newest.current += 1;
    const asked = newest.current;
    void panel.ask("mcpServers", {}).then(answer => {
      if (asked === newest.current && answer !== undefined) setKnown(answer);
    });
  }, [panel]);
  useEffect(() => {
    refresh();
    const end = panel.onMcpChanged(refresh);
    return () => {
      newest.current += 1;
      end();
    };
  }, [panel, refresh]);
  return known;
}

function ServerRow({ server, open, toggle }: { server: McpServerRow; open: boolean; toggle: () => void }) {
  const { icon, words } = states[server.state];
  const { tools } = server;
  const facts =
    tools && server.state !== "off" ? ` · ${count(tools.count, "tool")}, ${count(tools.tokens, "token")}` : "";
  return (
    <Toggle open={open} className="server" onClick={toggle}>
      <Icon name={icon} className={`server-${server.state}`} />
      <span className="session-title">{visibleText(server.name)}</span>
      <span className="session-facts">
        {words}
        {facts}
        {server.asksNoMore ? " · not to ask your model" : ""}
      </span>
    </Toggle>
  );
}

function NoServers() {
  const panel = usePanel();
  return (
    <p className="quiet sessions-empty">
      No MCP servers yet. Add them to .vscode/mcp.json or .mcp.json in a folder, or to your own mcp.json.{" "}
      <LinkButton onClick={() => void panel.ask("mcpConfigure", {})}>Open .vscode/mcp.json</LinkButton>
    </p>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3 className="server-part">Cannot be used</h3>
      <ul aria-label="Cannot be used">
        {problems.map(problem => (
          <li key={problem} className="server-problem">
            <Icon name="warning" />
            <span>{visibleText(problem)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
