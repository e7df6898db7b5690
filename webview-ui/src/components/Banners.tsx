import type { ReactNode } from "react";
import { Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { formatBytes } from "../text/format";

/** What a person has to know about this session's surroundings, above the conversation. */
export function Banners() {
  const surroundings = usePanelState(state => state.surroundings);
  const readOnly = usePanelState(state => state.session.readOnly);
  const empty = usePanelState(state => state.session.chunks.length === 0);
  const failed = usePanelState(state => (state.phase === "failed" ? state.problem : null));
  const model = surroundings?.model;
  return (
    <>
      {failed === null ? null : <Failed problem={failed} />}
      {readOnly ? (
        <Banner icon="lock">
          Another window is working on this conversation. Here it can only be read, until that window closes it.
        </Banner>
      ) : null}
      {surroundings?.workspace === "untrusted" ? <Untrusted /> : null}
      {model?.state === "ready" && model.offline ? <Offline /> : null}
      {surroundings?.storage ? <StorageFull storage={surroundings.storage} /> : null}
      {model?.state === "none" && !empty ? <NoModel message={model.message} /> : null}
    </>
  );
}

function Banner({ icon, children }: { icon: string; children: ReactNode }) {
  return (
    <div className="banner" role="status">
      <Icon name={icon} />
      <div className="banner-text">{children}</div>
    </div>
  );
}

function Failed({ problem }: { problem: string }) {
  const panel = usePanel();
  return (
    <div className="banner error" role="alert">
      <Icon name="error" />
      <div className="banner-text">
        The conversation could not be opened: {problem} <LinkButton onClick={() => void panel.open()}>Retry</LinkButton>
      </div>
    </div>
  );
}

function Untrusted() {
  const panel = usePanel();
  return (
    <Banner icon="shield">
      This workspace is not trusted: Strata only reads and searches here, and leaves out its rules and settings.{" "}
      <LinkButton onClick={() => panel.act("trust")}>Manage trust</LinkButton>
    </Banner>
  );
}

function Offline() {
  const panel = usePanel();
  return (
    <Banner icon="info">
      This is the offline model: it plays a script, nobody is thinking. For a real one:{" "}
      <LinkButton onClick={() => panel.act("choose-model")}>Choose a model</LinkButton>
      {", then "}
      <LinkButton onClick={() => panel.act("set-key")}>Set key</LinkButton>
    </Banner>
  );
}

function StorageFull({ storage: { bytes, maxBytes } }: { storage: { bytes: number; maxBytes: number } }) {
  const panel = usePanel();
  return (
    <Banner icon="archive">
      Sessions take {formatBytes(bytes)} on disk, more than the {formatBytes(maxBytes)} of your settings. Nothing is
      removed without your yes. <LinkButton onClick={() => panel.act("remove-sessions")}>Remove the oldest…</LinkButton>
      {" · "}
      <LinkButton onClick={() => panel.act("storage-limit")}>Change the limit</LinkButton>
    </Banner>
  );
}

function NoModel({ message }: { message: string }) {
  const panel = usePanel();
  return (
    <Banner icon="plug">
      {message} <LinkButton onClick={() => panel.act("choose-model")}>Choose a model</LinkButton>
      {" · "}
      <LinkButton onClick={() => panel.act("set-key")}>Set key</LinkButton>
    </Banner>
  );
}
