import { t } from "../../../../src/shared/l10n";
import { modeWords, type PermissionMode, permissionModes } from "../../../../src/shared/settingValues";
import { Icon } from "../../controls/controls";
import { Menu, usePopup } from "../../controls/Popup";
import { usePanel, usePanelState } from "../../panel/hooks";

/** What the agent may do without asking. The menu says what each mode means. */
export function ModePicker() {
  const panel = usePanel();
  const mode = usePanelState(state => state.session.mode);
  const readOnly = usePanelState(state => state.session.readOnly);
  const popup = usePopup();
  const untrusted = usePanelState(state => state.surroundings?.workspace === "untrusted");
  const { name, meaning } = untrusted ? restricted() : modeWords(mode);
  const trust = { key: "trust", words: t("Manage trust"), run: () => void panel.act("trust") };
  const modes = permissionModes.map(candidate => ({
    ...{ key: candidate, checked: candidate === mode, words: <ModeWords mode={candidate} /> },
    run: () => void (candidate === mode || panel.ask("setMode", { mode: candidate })),
  }));
  const menu = untrusted ? { label: name, heading: meaning, items: [trust] } : { label: t("Mode"), items: modes };
  return (
    <>
      <button
        {...popup.opener}
        type="button"
        className="picker mode"
        aria-label={t("Mode: {0}", name)}
        aria-keyshortcuts="Control+."
        title={meaning}
        disabled={readOnly && !untrusted}
      >
        <span className="picker-text cut">{name}</span> <Icon name="chevron-down" />
      </button>
      {popup.open ? <Menu {...menu} popup={popup} /> : null}
    </>
  );
}

/** In a workspace that is not trusted, in each mode. */
const restricted = () => ({
  name: t("Read only"),
  meaning: t("This workspace is not trusted: Strata only reads and searches here, and ignores its rules and settings."),
});

/** A mode as menus have it. */
export function ModeWords({ mode }: { mode: PermissionMode }) {
  const { name, meaning } = modeWords(mode);
  return (
    <span className="menu-words">
      <span className="menu-name">{name}</span>
      <span className="quiet">{meaning}</span>
    </span>
  );
}
