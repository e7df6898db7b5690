/** An answer of the host as long as it is shown: asked once, and anew whenever it may have changed, one question at a time. */
import { useCallback, useEffect, useRef, useState } from "react";
import { useListener, usePanel } from "./hooks";
import type { Panel } from "./panel";

/**
 * @param cause asked anew when this is another one; `onFocus`: and when the person comes back from elsewhere, where they may have
 * changed it
 * @returns null: not known yet
 */
export const useAnswer = <T>(ask: Asking<T>, when: AskedWhen): T | null => useReloaded(ask, when).answer;

type Asking<T> = (panel: Panel) => Promise<T | undefined>;
type AskedWhen = { cause: string; onFocus?: boolean; held?: boolean };

/** The same, with a way to ask anew, which resolves once the answer is there. @param when `held`: not now, but afterwards */
export function useReloaded<T>(ask: Asking<T>, { cause, onFocus = false, held = false }: AskedWhen) {
  const panel = usePanel();
  const [answer, setAnswer] = useState<T | null>(null);
  const wanted = useRef(0);
  const asking = useRef<Promise<void>>(undefined);
  const latest = useRef(ask);
  latest.current = ask;
  const reload = useCallback(() => {
    wanted.current += 1;
    const askAll = async () => {
      for (let asked = 0; asked !== wanted.current; ) {
        asked = wanted.current;
        const given = await latest.current(panel);
        if (given !== undefined) setAnswer(given);
      }
    };
    asking.current ??= askAll().finally(() => {
      asking.current = undefined;
    });
    return asking.current;
  }, [panel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cause is why it is asked
  useEffect(() => void (held || reload()), [reload, held, cause]);
  useListener("focus", reload, onFocus && !held);
  return { answer, reload };
}
