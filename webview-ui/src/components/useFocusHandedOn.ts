import { useLayoutEffect, useRef } from "react";
import { focusComposer } from "./composerFocus";

/** Where it goes away with the focus in it, the composer gets that. */
export function useFocusHandedOn() {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, []);
  return box;
}
