/** An answer of the host as long as it is shown: asked once, and anew whenever it may have changed, one question at a time. */
import { useCallback, useEffect, useRef, useState } from "react";
import { usePanel } from "./hooks";
import type { Panel } from "./panel";

/**
 * @param cause asked anew when this is another one; `onFocus`: and when the person comes back from elsewhere, where they may have
 * changed it
 * @returns null: not known yet
 */
export function useAnswer<T>(
  ask: (panel: Panel) => Promise<T | undefined>,
  { cause, onFocus = false }: { cause: string; onFocus?: boolean },
): T | null {
  const panel = usePanel();
  const [answer, setAnswer] = useState<T | null>(null);
  const wanted = useRef(0);
  const busy = useRef(false);
  const latest = useRef(ask);
  latest.current = ask;
  const askAnew = useCallback(async () => {
    wanted.current += 1;
    if (busy.current) return;
    busy.current = true;
    try {
      for (let asked = 0; asked !== wanted.current; ) {
        asked = wanted.current;
        const given = await latest.current(panel);
        if (given !== undefined) setAnswer(given);
      }
    } finally {
      busy.current = false;
    }
  }, [panel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cause is why it is asked
  useEffect(() => {
    const listen = () => void askAnew();
    listen();
    if (onFocus) window.addEventListener("focus", listen);
    return () => window.removeEventListener("focus", listen);
  }, [askAnew, onFocus, cause]);
  return answer;
}
