import { type ReactNode, useEffect, useRef } from "react";
import { namesText } from "../../../../src/shared/format";
import { t } from "../../../../src/shared/l10n";
import type { McpServerRow } from "../../../../src/shared/mcp";
import { CopyButton, LinkButton } from "../../controls/controls";
import { usePanel } from "../../panel/hooks";
import { exactLine, exactText, visibleText } from "../../text/format";
import { Consent } from "./Consent";

/** A server that is opened: what it is, or what it asks for. */
export function ServerBody({ server }: { server: McpServerRow }) {
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
