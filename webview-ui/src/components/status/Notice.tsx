import { t } from "../../../../src/shared/l10n";
import { Icon, IconButton } from "../../controls/controls";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";

/** What was refused or got lost, or the answer to a command. */
export function Notice() {
  const panel = usePanel();
  const notice = usePanelState(state => state.notice);
  useSpoken(notice?.kind === "answer" ? notice.text : "");
  if (notice === null) return null;
  return (
    <div className={`notice ${notice.kind}`} role={notice.kind === "problem" ? "alert" : undefined}>
      <Icon name={notice.kind === "problem" ? "warning" : "info"} />
      <span className="notice-text">{notice.text}</span>
      <IconButton icon="close" label={t("Dismiss")} onClick={() => panel.say(null)} />
    </div>
  );
}
