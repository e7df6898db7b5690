import { type ReactNode, useEffect, useRef, useState } from "react";
import { inARow, namesText } from "../../../../src/shared/format";
import { locale, plural, t } from "../../../../src/shared/l10n";
import type { McpLists, McpServerRow, ServerAction } from "../../../../src/shared/mcp";
import {
  Button,
  CopyButton,
  Icon,
  IconButton,
  LinkButton,
  SPINNER,
  Switch,
  useBusy,
  WithCode,
} from "../../controls/controls";
import type { MenuAction } from "../../controls/Popup";
import { type GridRow, useOpenRows } from "../../controls/RowGrid";
import { MoreMenu } from "../../controls/SplitButton";
import { useAnswer } from "../../panel/answers";
import { usePanel, useSpoken } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { exactLine, exactText, visibleText } from "../../text/format";

const stateLooks = (): Record<McpServerRow["state"], { icon: string; words: string }> => ({
  off: { icon: "circle-slash", words: t("switched off") },
  unasked: { icon: "question", words: t("needs approval") },
  idle: { icon: "circle-outline", words: t("starts when needed") },
  starting: { icon: SPINNER, words: t("starting") },
  "signing-in": { icon: SPINNER, words: t("signing in") },
  running: { icon: "pass-filled", words: t("running") },
  failed: { icon: "error", words: t("failed") },
  "signed-out": { icon: "account", words: t("needs you to sign in") },
});

const askServers = (panel: Panel) => panel.ask("mcpServers", {});

/** Rows of a list before a click; a list of thousands is not drawn unasked. */
const MAX_ROWS = 100;

/** The MCP servers that are configured, asked for anew with each change and when the person comes back from a file that names them. null: not known yet */
export function useServers(cause: string) {
  const panel = usePanel();
  const known = useAnswer(askServers, { cause, onFocus: true });
  const [open, toggle] = useOpenRows<string>();
  const [all, showAll] = useOpenRows<string>();
  const opened = known?.servers.filter(({ name }) => open.has(name)) ?? [];
  useSpoken(opened.map(({ name, state }) => `${visibleText(name)} ${stateLooks()[state].words}`).join(", "));
  const lists = useLists(opened);
  if (known === null) return null;
  const configure = () => void panel.ask("mcpConfigure", {});
  return {
    rows: known.servers.flatMap((server): GridRow[] => {
      const { name, notes = [] } = server;
      const isOpen = open.has(name);
      const row: GridRow = {
        ...{ ...serverRow(panel, server), open: isOpen, activate: () => toggle(name) },
        body:
          isOpen || notes.length > 0 ? (
            <>
              <Warnings texts={notes} />
              {isOpen ? <ServerBody server={server} /> : null}
            </>
          ) : null,
      };
      const parts = isOpen ? partRows(panel, name, lists?.get(name)) : [];
      const left = all.has(name) ? 0 : parts.length - MAX_ROWS;
      if (left <= 0) return [row, ...parts];
      const words = t("and {0} more", left.toLocaleString(locale()));
      const more: GridRow = { key: `${name} more`, level: 2, name: words, activate: () => showAll(name) };
      return [row, ...parts.slice(0, MAX_ROWS), more];
    }),
    none: (
      <>
        {t("No MCP servers yet. Add them to .vscode/mcp.json or .mcp.json in a folder, or to your own mcp.json.")}{" "}
        <LinkButton onClick={configure}>{t("Open {0}", ".vscode/mcp.json")}</LinkButton>
      </>
    ),
    action: <IconButton icon="gear" label={t("Open mcp.json")} onClick={configure} />,
    children: <Warnings texts={known.problems} />,
  };
}

/** Of those that are opened, what they have: any change of a server makes a new row object. Without a yes nothing is known, and what is switched off is not looked at. */
function useLists(opened: readonly McpServerRow[]) {
  const names = opened.flatMap(({ name, state }) => (state === "off" || state === "unasked" ? [] : [name]));
  const ask = async (panel: Panel) => {
    const answers = names.map(async name => [name, (await panel.ask("mcpLists", { name }))?.lists] as const);
    return new Map(await Promise.all(answers));
  };
  return useAnswer(ask, { cause: JSON.stringify(opened) });
}

function partRows(panel: Panel, server: string, lists: McpLists | undefined): GridRow[] {
  if (!lists) return [];
  const row = (kind: string, name: string, note: string, actions?: ReactNode): GridRow => ({
    ...{ key: `${server} ${kind} ${name}`, level: 2, name: visibleText(name), note: visibleText(note), actions },
  });
  const tools = lists.tools.map(({ name, description, tokens, off }) => {
    const own = name.slice(server.length + 1);
    const turn = (on: boolean) => void panel.ask("mcpSwitch", { name, on });
    const note = [plural(tokens, "1 token", "{0} tokens"), description].filter(Boolean).join(" · ");
    return row("tool", own, note, <Switch label={visibleText(own)} on={!off} turn={turn} />);
  });
  const prompts = lists.prompts.map(({ name, description }) => row("prompt", name, `${t("prompt")} · ${description}`));
  return [...tools, ...prompts, ...lists.resources.map(({ name, uri }) => row(uri, name, uri))];
}

function serverRow(panel: Panel, server: McpServerRow): GridRow {
  const { name, state, tools } = server;
  const { words, ...look } = stateLooks()[state];
  const counts = tools && [plural(tools.count, "1 tool", "{0} tools"), plural(tools.tokens, "1 token", "{0} tokens")];
  const shown = visibleText(name);
  const actions = actionsOf(panel, server);
  const [first] = ["failed", "signed-out", "signing-in"].includes(state) ? actions : [];
  return {
    ...{ key: name, level: 1, name: shown, ...look },
    note: counts && state !== "off" ? `${words} · ${inARow(counts)}` : words,
    actions: (
      <>
        {first ? <Button onClick={first.run}>{first.words}</Button> : null}
        <ServerSwitch server={server} />
        <MoreMenu inList label={t("More actions for {0}", shown)} items={actions} />
      </>
    ),
  };
}

export function ServerSwitch({ server: { name, state } }: { server: McpServerRow }) {
  const panel = usePanel();
  const turn = (on: boolean) => void panel.ask("mcpSwitch", { name, on });
  return <Switch label={t("Use server {0}", visibleText(name))} on={state !== "off"} turn={turn} />;
}

/** What fits its state. */
function actionsOf(panel: Panel, { name, state, signedIn, agreed, path }: McpServerRow): MenuAction[] {
  const isSigningIn = state === "signing-in";
  const usable = state !== "off" && state !== "unasked" && !isSigningIn;
  const act = (key: ServerAction, words: string, isOffered: boolean): MenuAction[] =>
    isOffered ? [{ key: words, words, run: () => void panel.ask("mcpAct", { name, act: key }) }] : [];
  return [
    ...act("stop", t("Cancel"), isSigningIn),
    ...act("sign-in", t("Sign in"), usable && signedIn === false),
    ...act("start", state === "running" ? t("Restart") : t("Start"), usable && state !== "starting"),
    ...act("stop", t("Stop"), state === "running" || state === "starting"),
    ...act("sign-in", t("Sign in again"), usable && signedIn === true && state === "signed-out"),
    ...act("sign-out", t("Sign out"), signedIn === true && !isSigningIn),
    ...act("log", t("Log"), state !== "unasked"),
    ...act("configure", t("Open mcp.json"), path !== ""),
    ...act("withdraw", t("Revoke"), agreed === true),
  ];
}

/** A server that is opened: what it is, or what it asks for. */
function ServerBody({ server }: { server: McpServerRow }) {
  const body = useRef<HTMLDivElement>(null);
  const { state, question, error, signInAt } = server;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that went with the state took the focus along
  useEffect(() => {
    const row = body.current?.closest("[role=row]")?.previousElementSibling as HTMLElement | null | undefined;
    if (document.activeElement === document.body) row?.focus();
  }, [state, question]);
  return (
    <div ref={body}>
      {question && state !== "off" ? (
        <ServerConsent server={server} detail={question.detail} />
      ) : (
        <About server={server} />
      )}
      {error === undefined || state === "running" || state === "signing-in" ? null : (
        <p className="server-error" role="alert">
          {visibleText(error)}
        </p>
      )}
      {state === "signing-in" ? <SigningIn at={signInAt} /> : null}
    </div>
  );
}

function About({ server }: { server: McpServerRow }) {
  const panel = usePanel();
  const { name, target, file, path, identity, environment } = server;
  return (
    <dl className="server-facts">
      <Fact name={/^https?:/.test(target) ? t("Address") : t("Command")}>
        <code>{exactLine(target)}</code>
      </Fact>
      <Fact name={t("From")}>
        {path === "" ? (
          visibleText(file)
        ) : (
          <LinkButton onClick={() => void panel.ask("mcpAct", { name, act: "configure" })}>
            {visibleText(file)}
          </LinkButton>
        )}
      </Fact>
      {environment.length > 0 ? <Fact name={t("Environment")}>{namesText(environment.map(exactLine))}</Fact> : null}
      {identity === undefined ? null : <Fact name={t("Version")}>{visibleText(identity)}</Fact>}
    </dl>
  );
}

/** The address is for a browser that did not open, or is not the one to sign in with. */
function SigningIn({ at }: { at: string | undefined }) {
  if (at === undefined) return <p className="quiet">{t("Asking where to sign in")}</p>;
  return (
    <section aria-label={t("Signing in")}>
      <p>{t("Sign in with the browser that opened, or open this address in another one:")}</p>
      <div className="server-address">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by key */}
        <code tabIndex={0}>{exactLine(at)}</code>
        <CopyButton text={at} label={t("Copy the address")} />
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type ServerQuestionDetail = NonNullable<McpServerRow["question"]>["detail"];

/** What a workspace's server would be started with, exactly: each part on lines of its own, nothing hidden. */
function ServerConsent({ server, detail }: { server: McpServerRow; detail: ServerQuestionDetail }) {
  const panel = usePanel();
  const { name, hash, file } = server;
  const parts = typeof detail === "object" && detail !== null && !Array.isArray(detail) ? Object.entries(detail) : [];
  return (
    <Consent
      title={t("Allow {0}?", visibleText(name))}
      words={[t("It comes from {0} in this workspace. You are asked again if its entry changes.", file)]}
      hash={hash}
      yes={t("Allow")}
      approve={() => panel.ask("mcpAgree", { name, hash })}
    >
      <dl className="server-facts">
        {parts
          .filter(([part]) => part !== "server")
          .map(([part, value]) => (
            <Fact key={part} name={partNames()[part] ?? part}>
              <code>{lines(value)}</code>
            </Fact>
          ))}
      </dl>
    </Consent>
  );
}

const partNames = (): Readonly<Record<string, string>> => ({
  command: t("Command"),
  args: t("Arguments"),
  folder: t("In the folder"),
  environment: t("Environment"),
  address: t("Address"),
  headers: t("Sends"),
  signInAs: t("Signs in as"),
  inputs: t("Where nothing is typed"),
});

function lines(value: ServerQuestionDetail): string {
  if (typeof value === "string") return exactText(value);
  const all = Array.isArray(value) ? value : [value];
  const texts = all.map(each => exactLine(typeof each === "string" ? each : JSON.stringify(each)));
  return texts.length === 0 ? t("nothing") : texts.join("\n");
}

interface ConsentProps {
  title: string;
  words: readonly string[];
  /** of all that is shown: what the approval is bound to */
  hash: string;
  yes: string;
  approve(): Promise<unknown>;
  /** what would run, exactly */
  children: ReactNode;
}

/** Asks for an approval of what it shows. Another text does not come under the pointer of who has read this one. */
export function Consent({ title, words, hash, yes, approve, children }: ConsentProps) {
  const { busy, run } = useBusy(approve);
  const [read, setRead] = useState(hash);
  if (read !== hash)
    return (
      <p role="alert">
        {t("This changed while it was shown.")} <Button onClick={() => setRead(hash)}>{t("Show the new text")}</Button>
      </p>
    );
  return (
    <section className="tools-consent" aria-label={title}>
      <p>
        <strong>{title}</strong> {words.map(visibleText).join(" ")}
      </p>
      {children}
      <div className="button-row">
        <Button primary disabled={busy} onClick={run}>
          {yes}
        </Button>
      </div>
    </section>
  );
}

export function Warnings({ texts }: { texts: readonly string[] }) {
  return [...new Set(texts)].map(text => (
    <p key={text} className="tools-warning">
      <Icon name="warning" />
      <WithCode text={visibleText(text)} />
    </p>
  ));
}
