import { type ReactNode, useEffect, useRef, useState } from "react";
import { namesText } from "../../../../src/shared/format";
import { locale, plural, t } from "../../../../src/shared/l10n";
import type { McpLists, McpServerRow, ServerAction } from "../../../../src/shared/mcp";
import { Button, CopyButton, LinkButton, useBusy } from "../../controls/controls";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { usePanel } from "../../panel/hooks";
import { exactLine, exactText, visibleText } from "../../text/format";

/** A server that is opened: what it is, what can be done about it, what it has. */
export function ServerBody({ server }: { server: McpServerRow }) {
  const body = useRef<HTMLDivElement>(null);
  const { state, question } = server;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that went with the state took the focus along
  useEffect(() => {
    if (document.activeElement === document.body)
      body.current?.parentElement?.querySelector<HTMLElement>(".server")?.focus();
  }, [state, question]);
  return (
    <div ref={body} className="server-body">
      {question && state !== "off" ? <Consent server={server} detail={question.detail} /> : <About server={server} />}
      {server.error === undefined || state === "running" || state === "signing-in" ? null : (
        <p className="server-error" role="alert">
          {visibleText(server.error)}
        </p>
      )}
      {state === "signing-in" ? <SigningIn at={server.signInAt} /> : null}
      <Actions server={server} />
      <Lists server={server} />
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
    <section className="server-sign-in" aria-label={t("Signing in")}>
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
function Consent({ server, detail }: { server: McpServerRow; detail: ServerQuestionDetail }) {
  const panel = usePanel();
  const { name, hash, file } = server;
  const { busy, run } = useBusy(() => panel.ask("mcpAgree", { name, hash }));
  const parts = typeof detail === "object" && detail !== null && !Array.isArray(detail) ? Object.entries(detail) : [];
  return (
    <section className="server-consent" aria-label={t("Allow {0}?", visibleText(name))}>
      <p>
        <strong>{t("Allow {0}?", visibleText(name))}</strong>{" "}
        {t("It comes from {0} in this workspace. You are asked again if its entry changes.", visibleText(file))}
      </p>
      <dl className="server-facts">
        {parts
          .filter(([part]) => part !== "server")
          .map(([part, value]) => (
            <Fact key={part} name={partNames()[part] ?? part}>
              <code>{lines(value)}</code>
            </Fact>
          ))}
      </dl>
      <div className="button-row">
        <Button primary disabled={busy} onClick={run}>
          {t("Allow")}
        </Button>
      </div>
    </section>
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

function Actions({ server }: { server: McpServerRow }) {
  const panel = usePanel();
  const { name, state, signedIn, agreed } = server;
  const isOff = state === "off";
  const isSigningIn = state === "signing-in";
  const runs = state === "running" || state === "starting";
  const usable = !isOff && state !== "unasked" && !isSigningIn;
  const act = (label: string, which: ServerAction, isOffered: boolean, primary = false) =>
    isOffered ? (
      <Button primary={primary} onClick={() => void panel.ask("mcpAct", { name, act: which })}>
        {label}
      </Button>
    ) : null;
  return (
    <div className="button-row">
      {act(t("Sign in"), "sign-in", usable && signedIn === false, state === "signed-out")}
      {act(state === "running" ? t("Restart") : t("Start"), "start", usable && state !== "starting")}
      {act(t("Stop"), "stop", runs)}
      {act(t("Cancel"), "stop", isSigningIn)}
      {act(t("Sign in again"), "sign-in", usable && signedIn === true && state === "signed-out")}
      {act(t("Sign out"), "sign-out", signedIn === true && !isSigningIn)}
      <Button onClick={() => void panel.ask("mcpSwitch", { name, on: isOff })}>
        {isOff ? t("Switch on") : t("Switch off")}
      </Button>
      {act(t("Log"), "log", state !== "unasked")}
      {act(t("Revoke"), "withdraw", agreed === true)}
    </div>
  );
}

/** Rows of a list before a click; a list of thousands is not drawn unasked. */
const MAX_ROWS = 100;

function Lists({ server }: { server: McpServerRow }) {
  const lists = useLists(server);
  // Without a yes nothing is known of it, and what is switched off is not looked at.
  if (lists === null || server.state === "off" || server.state === "unasked") return null;
  const { tools, prompts, resources } = lists;
  const off = tools.filter(tool => tool.off).length;
  const many = tools.length;
  return (
    <>
      <Part
        title={
          off > 0 ? plural(many, "1 tool, {1} off", "{0} tools, {1} off", off) : plural(many, "1 tool", "{0} tools")
        }
        rows={tools.map(tool => <Tool key={tool.name} server={server.name} tool={tool} />)}
      />
      <Part
        title={plural(prompts.length, "1 prompt", "{0} prompts")}
        rows={prompts.map(({ name, description }) => <Thing key={name} name={name} about={description} />)}
      />
      <Part
        title={plural(resources.length, "1 resource", "{0} resources")}
        rows={resources.map(({ name, uri }) => <Thing key={uri} name={name} about={uri} />)}
      />
    </>
  );
}

/** null: not asked yet */
function useLists(server: McpServerRow): McpLists | null {
  const panel = usePanel();
  const [lists, setLists] = useState<McpLists | null>(null);
  // Any change of the server makes a new row object.
  useEffect(() => {
    let wanted = true;
    void panel.ask("mcpLists", { name: server.name }).then(answer => {
      if (wanted && answer !== undefined) setLists(answer.lists ?? null);
    });
    return () => {
      wanted = false;
    };
  }, [panel, server]);
  return lists;
}

function Part({ title, rows }: { title: string; rows: readonly ReactNode[] }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const keys = useRoving(list);
  if (rows.length === 0) return null;
  const shown = all ? rows : rows.slice(0, MAX_ROWS);
  return (
    <>
      <h3 className="server-part">{title}</h3>
      <ul ref={list} aria-label={title} {...keys}>
        {shown}
      </ul>
      {shown.length < rows.length ? (
        <LinkButton onClick={() => setAll(true)}>
          {t("and {0} more", (rows.length - shown.length).toLocaleString(locale()))}
        </LinkButton>
      ) : null}
    </>
  );
}

function Tool({ server, tool }: { server: string; tool: McpLists["tools"][number] }) {
  const panel = usePanel();
  const name = visibleText(tool.name.slice(server.length + 1));
  const { busy, run } = useBusy(() => panel.ask("mcpSwitch", { name: tool.name, on: tool.off }));
  return (
    <li {...ROVING_ROW}>
      <label className="server-tool">
        <input type="checkbox" checked={!tool.off} aria-disabled={busy} onChange={run} />
        <span className="server-thing">
          <span className="server-name">{name}</span>{" "}
          <span className="quiet">{plural(tool.tokens, "1 token", "{0} tokens")}</span>
          <span className="quiet server-about">{visibleText(tool.description)}</span>
        </span>
      </label>
    </li>
  );
}

function Thing({ name, about }: { name: string; about: string }) {
  return (
    <li className="server-thing">
      <span className="server-name">{visibleText(name)}</span>
      <span className="quiet server-about">{visibleText(about)}</span>
    </li>
  );
}
