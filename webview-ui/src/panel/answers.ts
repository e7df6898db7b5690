/** What the host says about something as long as it is shown: asked once, and anew whenever it may have changed. */
import { useCallback, useEffect, useRef, useState } from "react";
import { usePanel } from "./hooks";
import type { Panel } from "./panel";

interface AnswerOptions {
  /** asked anew when this is another one */
  cause: string;
  /** and when the person comes back from elsewhere, where they may have changed it */
  onFocus?: boolean;
}

/** @param ask the same function as long as it asks the same @returns null: not known yet */
export function useAnswer<T>(
  ask: (panel: Panel) => Promise<T | undefined>,
  { cause, onFocus = false }: AnswerOptions,
): T | null {
  const panel = usePanel();
  const [answer, setAnswer] = useState<T | null>(null);
  const newest = useRef(0);
  const askAnew = useCallback(() => {
    newest.current += 1;
    const asked = newest.current;
    void ask(panel).then(given => {
      if (asked === newest.current && given !== undefined) setAnswer(given);
    });
  }, [panel, ask]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cause is why it is asked
  useEffect(() => {
    askAnew();
    if (onFocus) window.addEventListener("focus", askAnew);
    return () => {
      newest.current += 1;
      window.removeEventListener("focus", askAnew);
    };
  }, [askAnew, onFocus, cause]);
  return answer;
}
