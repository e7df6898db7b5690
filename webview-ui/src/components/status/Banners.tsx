import type { ComponentProps, ReactNode } from "react";
import { t } from "../../../../src/shared/l10n";
import type { PanelParams } from "../../../../src/shared/panelProtocol";
import { Icon, LinkButton } from "../../controls/controls";
import { MoreMenu } from "../../controls/SplitButton";
import { usePanel, usePanelState } from "../../panel/hooks";

/** What a person has to know about this session's surroundings, above the conversation. */
export function Banners() {
  const panel = usePanel();
  const { phase, problem, session, surroundings } = usePanelState(state => state);
  const model = surroundings?.model;
  const ways = [
    { key: "new", words: t("New session"), run: () => void panel.newSession() },
    { key: "sessions", words: t("Sessions"), run: () => panel.show("sessions") },
  ];
  return (
    <>
      {phase === "failed" && (
        <Banner icon="error" failed>
          {t("The session could not be opened. {0}", problem ?? "")}{" "}
          <LinkButton onClick={() => void panel.open()}>{t("Retry")}</LinkButton>{" "}
          <MoreMenu label={t("More actions")} items={ways} />
        </Banner>
      )}
      {session.deleted ? (
        <Banner icon="trash">
          {t("This session was deleted in another window. What you typed is kept.")}{" "}
          <LinkButton onClick={() => void panel.ask("restoreShown", {})}>{t("Restore")}</LinkButton>
          {" · "}
          <LinkButton onClick={() => void panel.newSession()}>{t("New session")}</LinkButton>
        </Banner>
      ) : null}
      {model?.state === "ready" && model.offline ? (
        <Banner icon="info">
          {t("Demo: answers are prepared, no model is used.")}{" "}
          <Action action="choose-model">{t("Choose a model")}</Action>
          {" · "}
          <Action action="paste-key">{t("Paste an API key")}</Action>
        </Banner>
      ) : null}
    </>
  );
}

function Banner({ icon, failed = false, children }: { icon: string; failed?: boolean; children: ReactNode }) {
  return (
    <div className={failed ? "banner error" : "banner"} role={failed ? "alert" : "status"}>
      <Icon name={icon} />
      <div className="banner-text">{children}</div>
    </div>
  );
}

/** What the host does about it. */
export function Action({ action, ...rest }: PanelParams<"action"> & ComponentProps<typeof LinkButton>) {
  const panel = usePanel();
  return <LinkButton {...rest} onClick={() => panel.act(action)} />;
}
