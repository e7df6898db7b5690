import type { ReactNode } from "react";
import { namesText } from "../../../../src/shared/format";
import { plural, t } from "../../../../src/shared/l10n";
import { knownLocalTitles, ownFacts } from "../../../../src/shared/modelProviders";
import type { ModelWays, PanelParams, WorkOffer } from "../../../../src/shared/panelProtocol";
import type { PanelSurroundings } from "../../../../src/shared/panelSnapshot";
import { Button, Icon } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { useAnswer } from "../../panel/answers";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import { visibleText } from "../../text/format";
import { Action } from "../status/Banners";

/** What stands in an empty conversation: what can be done here, or what is missing first. */
export function EmptyState() {
  const surroundings = usePanelState(state => state.surroundings);
  const failed = usePanelState(state => state.phase === "failed");
  if (surroundings === null || failed) return null;
  if (surroundings.workspace === "none") return <NoFolder model={surroundings.model} />;
  if (surroundings.model.state === "none") return <ModelCard message={surroundings.model.message} />;
  return <Work surroundings={surroundings} />;
}

function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type WayWords = { icon: string; text: string; detail?: string | undefined };

function Choice({ icon, text, detail, onClick }: WayWords & { onClick(): void }) {
  return (
    <li {...ROVING_ROW}>
      <button type="button" className="choice" onClick={onClick}>
        <Icon name={icon} />
        <span className="choice-text">{visibleText(text)}</span>
        {detail ? <span className="choice-detail">{visibleText(detail)}</span> : null}
      </button>
    </li>
  );
}

function Choices({ className, label, children }: { className: string; label: string; children: ReactNode }) {
  // A way that was taken is gone once there is a model.
  const list = useFocusHandedOn<HTMLUListElement>();
  const keys = useRoving(list);
  return (
    <ul className={className} aria-label={label} {...keys}>
      {children}
    </ul>
  );
}

function Work({ surroundings: { folders } }: { surroundings: PanelSurroundings }) {
  const panel = usePanel();
  const sessionId = usePanelState(state => state.session.sessionId);
  const known = useAnswer(() => panel.ask("offers", {}), { cause: sessionId });
  const summary = useAnswer(() => panel.ask("found", {}), { cause: sessionId })?.summary;
  const take = ({ sessionId: id, words }: WorkOffer) =>
    id === undefined ? panel.compose(words ?? "") : void panel.openSession(id);
  return (
    <Empty title={t("What should we do in {0}?", namesText(folders))}>
      <Choices className="choices work" label={t("Things to do")}>
        {known?.offers.map(offer => (
          <Choice key={offer.text} {...offer} onClick={() => take(offer)} />
        ))}
      </Choices>
      <p className="found-line">
        {summary ? <Action action="show-tools">{t("Found here: {0}", visibleText(summary))}</Action> : null}
      </p>
    </Empty>
  );
}

type WayChoice = WayWords & { action: PanelParams<"action">["action"] };

const editorWay = (model: string): WayChoice => ({
  ...{ icon: "vscode", text: t("Use VS Code's models"), action: "use-editor-model" },
  detail: t("{0}. No key needed.", model),
});

/** VS Code has none of Copilot's models before a person signed in. */
const signInWay = (): WayChoice => ({
  ...{ icon: "copilot", text: t("Use Copilot's models"), action: "copilot-sign-in" },
  detail: t("Sign in to GitHub Copilot in VS Code."),
});

function localWay(ways: ModelWays | null): WayChoice {
  const found = ways?.local.map(({ title, models }) => plural(models, "{1}: 1 model", "{1}: {0} models", title)) ?? [];
  const none = ways ? t("None is running. {0}, or any address.", namesText(knownLocalTitles)) : t("Looking…");
  const detail = found.length > 0 ? found.join(" · ") : none;
  return { icon: "server-environment", text: t("Local server"), detail, action: "use-local-server" };
}

/** The ways to a first answer. What was sent before waits, and says so. */
function ModelCard({ message }: { message: string }) {
  const panel = usePanel();
  const surroundings = usePanelState(state => state.surroundings);
  const waits = usePanelState(state => state.session.pending.length > 0);
  const ways = useAnswer(() => panel.ask("modelWays", {}), { cause: JSON.stringify(surroundings), onFocus: true });
  const [editor] = ways?.editor ?? [];
  const key = t("For {0} and others. Kept in VS Code's secret storage.", namesText(ownFacts.map(({ title }) => title)));
  const offered: WayChoice[] = [
    ...(editor ? [editorWay(editor)] : ways?.signIn ? [signInWay()] : []),
    { icon: "key", text: t("Paste an API key"), detail: key, action: "paste-key" },
    localWay(ways),
  ];
  // To be seen, it stands in the line above the composer.
  useSpoken(waits ? t("Your message goes out as soon as a model is ready.") : "");
  return (
    <Empty title={t("Choose a model to begin")}>
      {message === t("No model yet.") ? null : <p>{visibleText(message)}</p>}
      <Choices className="choices ways" label={t("Ways to a model")}>
        {offered.map(({ action, ...way }) => (
          <Choice key={action} {...way} onClick={() => panel.act(action)} />
        ))}
      </Choices>
      <p>
        <Action action="try-demo">{t("Try the demo")}</Action>
        {" · "}
        <Action action="get-started">{t("Get started")}</Action>
      </p>
    </Empty>
  );
}

/** The demo brings a folder of its own: for who has no model either. */
function NoFolder({ model }: { model: PanelSurroundings["model"] }) {
  const panel = usePanel();
  return (
    <Empty title={t("No folder is open")}>
      <p>{t("Strata works on the files in a folder.")}</p>
      <div className="button-row">
        <Button primary onClick={() => panel.act("open-folder")}>
          {t("Open folder")}
        </Button>
      </div>
      {model.state === "none" && (
        <p>
          <Action action="try-demo">{t("Try the demo")}</Action>
        </p>
      )}
    </Empty>
  );
}
