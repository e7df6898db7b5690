import { useEffect, useRef } from "react";
import { t } from "../../../../src/shared/l10n";
import { modeWords, type PermissionMode, permissionModes } from "../../../../src/shared/settingValues";
import { Icon } from "../../controls/controls";
import { fitAbove, menuKeys, Popup, type PopupState, usePopup } from "../../controls/Popup";
import { usePanel, usePanelState } from "../../panel/hooks";

/** What the agent may do without asking. The menu says what each mode means. */
export function ModePicker() {
  const panel = usePanel();
  const mode = usePanelState(state => state.session.mode);
  const readOnly = usePanelState(state => state.session.readOnly);
  const { open, button, close, toggle } = usePopup();
  const { name, meaning } = modeWords(mode);
  const choose = (chosen: PermissionMode) => {
    if (chosen !== mode) void panel.ask("setMode", { mode: chosen });
    close();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="picker mode"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={t("Mode: {0}", name)}
        aria-keyshortcuts="Control+."
        title={meaning}
        disabled={readOnly}
        onClick={toggle}
      >
        <span className="picker-text">{name}</span> <Icon name="chevron-down" />
      </button>
      {open ? <ModeMenu mode={mode} choose={choose} popup={{ button, close, leave: close }} /> : null}
    </>
  );
}

interface ModeMenuProps {
  mode: PermissionMode;
  choose(mode: PermissionMode): void;
  popup: Pick<PopupState, "button" | "close" | "leave">;
}

function ModeMenu({ mode, choose, popup }: ModeMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
  }, []);
  return (
    <Popup
      box={menu}
      className="menu"
      role="menu"
      label={t("Mode")}
      popup={popup}
      place={fitAbove}
      onKeyDown={menuKeys(menu, popup.close)}
    >
      {permissionModes.map(candidate => {
        const { name, meaning } = modeWords(candidate);
        return (
          <button
            key={candidate}
            type="button"
            role="menuitemradio"
            aria-checked={candidate === mode}
            tabIndex={-1}
            className="menu-item"
            onClick={() => choose(candidate)}
          >
            <Icon name={candidate === mode ? "check" : "blank"} />
            <span className="menu-words">
              <span className="menu-name">{name}</span>
              <span className="quiet">{meaning}</span>
            </span>
          </button>
        );
      })}
    </Popup>
  );
}
