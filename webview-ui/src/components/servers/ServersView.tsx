import { useCallback, useEffect, useRef, useState } from "react";
import { inARow } from "../../../../src/shared/format";
import { plural, t } from "../../../../src/shared/l10n";
import type { McpServerRow } from "../../../../src/shared/mcp";
import type { PanelResult } from "../../../../src/shared/panelProtocol";
import { Icon, IconButton, LinkButton, Toggle } from "../../controls/controls";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { useAnswer } from "../../panel/answers";
import { usePanel, useSpoken } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { visibleText } from "../../text/format";
import { Loading } from "./Loading";
import { ServerBody } from "./ServerBody";

type ServerState = McpServerRow["state"];

function stateLook(state: ServerState): { icon: string; words: string } {
  const looks: Record<ServerState, { icon: string; words: string }> = {
    off: { icon: "circle-slash", words: t("switched off") },
    unasked: { icon: "question", words: t("needs approval") },
    idle: { icon: "circle-outline", words: t("starts when needed") },
    starting: { icon: "loading codicon-modifier-spin", words: t("starting") },
    "signing-in": { icon: "loading codicon-modifier-spin", words: t("signing in") },
    running: { icon: "pass-filled", words: t("running") },
    failed: { icon: "error", words: t("failed") },
    "signed-out": { icon: "account", words: t("needs you to sign in") },
  };
  return looks[state];
}

/** The MCP servers that are configured. Arrows move, Enter opens. */
export function ServersView() {
  const panel = usePanel();
  const [known, again] = useServers();
  const [opened, setOpened] = useState<string | null>(null);
  const shown = known?.servers.find(({ name }) => name === opened);
  useSpoken(shown ? `${visibleText(shown.name)} ${stateLook(shown.state).words}` : "");
  const list = useRef<HTMLUListElement>(null);
  const keys = useRoving(list);
  return (
    <div className="servers">
      <div className="servers-head">
        <h2>{t("MCP servers")}</h2>
        <IconButton icon="gear" label={t("Open mcp.json")} onClick={() => void panel.ask("mcpConfigure", {})} />
      </div>
      {known === null ? (
        <div className="sessions-empty">
          <Loading again={again} />
        </div>
      ) : null}
      {known?.servers.length === 0 ? <NoServers /> : null}
      <ul ref={list} aria-label={t("MCP servers")} {...keys}>
        {known?.servers.map(server => (
          <li key={server.name}>
            <ServerRow
              server={server}
              open={opened === server.name}
              toggle={() => setOpened(opened === server.name ? null : server.name)}
            />
            {server.notes?.map(note => (
              <p key={note} className="server-problem server-note">
                <Icon name="warning" />
                <WithCode text={visibleText(note)} />
              </p>
            ))}
            {opened === server.name ? <ServerBody server={server} /> : null}
          </li>
        ))}
      </ul>
      <Problems problems={known?.problems ?? []} />
    </div>
  );
}

const askServers = (panel: Panel) => panel.ask("mcpServers", {});

/** As they are now, and what asks anew: each change does too, and so does who comes back from a file that names them. null: not known yet */
function useServers(): [PanelResult<"mcpServers"> | null, () => void] {
  const panel = usePanel();
  const [times, setTimes] = useState(0);
  const again = useCallback(() => setTimes(count => count + 1), []);
  useEffect(() => panel.onMcpChanged(again), [panel, again]);
  return [useAnswer(askServers, { cause: String(times), onFocus: true }), again];
}

function ServerRow({ server, open, toggle }: { server: McpServerRow; open: boolean; toggle: () => void }) {
  const { icon, words } = stateLook(server.state);
  const { tools } = server;
  const facts = tools &&
    server.state !== "off" && [
      plural(tools.count, "1 tool", "{0} tools"),
      plural(tools.tokens, "1 token", "{0} tokens"),
    ];
  return (
    <Toggle open={open} className="server" onClick={toggle} {...ROVING_ROW}>
      <Icon name={icon} className={`server-${server.state}`} />
      <span className="server-words">
        <span className="session-title" title={visibleText(server.name)}>
          {visibleText(server.name)}
        </span>{" "}
        <span className="server-told">
          {words}
          {facts ? ` · ${inARow(facts)}` : ""}
        </span>
      </span>
      <Icon name={open ? "chevron-down" : "chevron-right"} />
    </Toggle>
  );
}

/** A sentence with names between backticks, as people write code. */
function WithCode({ text }: { text: string }) {
  // Every second piece stood between two of them.
  const pieces = text.split(/`([^`]+)`/);
  return (
    <span>
      {pieces.map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
        at % 2 === 1 ? <code key={at}>{piece}</code> : piece,
      )}
    </span>
  );
}

function NoServers() {
  const panel = usePanel();
  return (
    <p className="quiet sessions-empty">
      {t("No MCP servers yet. Add them to .vscode/mcp.json or .mcp.json in a folder, or to your own mcp.json.")}{" "}
      <LinkButton onClick={() => void panel.ask("mcpConfigure", {})}>{t("Open {0}", ".vscode/mcp.json")}</LinkButton>
    </p>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3 className="server-part">{t("Problems")}</h3>
      <ul aria-label={t("Problems")}>
        {problems.map(problem => (
          <li key={problem} className="server-problem">
            <Icon name="warning" />
            <WithCode text={visibleText(problem)} />
          </li>
        ))}
      </ul>
    </>
  );
}
