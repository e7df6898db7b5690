import { useEffect } from "react";
import { t } from "../../../src/shared/l10n";
import { Button } from "../controls/controls";
import { usePanel, usePanelState, useSpoken } from "../panel/hooks";
import { underWay } from "../store/compactions";
import { phaseWords } from "./Compaction";
import { ContextView } from "./ContextView";
import { Notice } from "./Notice";

/** What the model is sent, layer by layer, in an editor tab. */
export function ContextPage() {
  const panel = usePanel();
  const phase = usePanelState(state => state.phase);
  useEffect(() => void panel.open(), [panel]);
  return (
    <main className="context-page">
      <div className="context-page-notices">
        <Notice />
        <CompactionNow />
      </div>
      {phase === "open" ? <ContextView /> : <Waiting />}
    </main>
  );
}

/** The session is being opened, or could not be: then the reason stands there. */
function Waiting() {
  const problem = usePanelState(state => state.problem);
  return <p className="context-waiting quiet">{problem}</p>;
}

/** In the panel it stands above the composer; here there is none. */
function CompactionNow() {
  const panel = usePanel();
  const progress = usePanelState(state => state.session.progress);
  const ended = progress?.message;
  const goesOn = underWay(progress);
  const words = goesOn ? phaseWords(progress) : (ended ?? "");
  useSpoken(words);
  if (!goesOn) return words === "" ? null : <p>{words}</p>;
  return (
    <p className="context-progress">
      <span>{words}</span>
      <Button onClick={() => void panel.ask("cancelCompaction", {})}>{t("Cancel")}</Button>
    </p>
  );
}
