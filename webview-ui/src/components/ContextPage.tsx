import { useEffect } from "react";
import { usePanel } from "../panel/hooks";

/** What the model is sent, layer by layer, in an editor tab. */
export function ContextPage() {
  const panel = usePanel();
  useEffect(() => void panel.open(), [panel]);
  return <main className="page" />;
}
