import { t } from "../../../../src/shared/l10n";
import { LinkButton } from "../../controls/controls";
import { usePanelState } from "../../panel/hooks";

/** In the place of what is not known yet. Where it was refused, the page's notice says why. */
export function Loading({ again }: { again(): void }) {
  const refused = usePanelState(state => state.notice !== null);
  if (!refused) return <p className="quiet">{t("Loading…")}</p>;
  return (
    <p>
      <LinkButton onClick={again}>{t("Retry")}</LinkButton>
    </p>
  );
}
