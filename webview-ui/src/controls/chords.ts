/** Chords of two keys, Ctrl+K and another: they are VS Code's. */

/** VS Code waits so long for the second key, ms. */
const WAITS_MS = 5_000;

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock"]);

/**
 * The second key of a chord types nothing here and answers nothing: it is prevented before any part of the panel hears it, and
 * keys that are prevented are nobody's. It still arrives at the window, where VS Code listens.
 */
export function leaveChordsToVsCode(): void {
  let begun = Number.NEGATIVE_INFINITY;
  const mac = navigator.platform.startsWith("Mac");
  const forget = () => {
    begun = Number.NEGATIVE_INFINITY;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key) || event.isComposing) return;
    const { key, altKey, shiftKey } = event;
    if (performance.now() - begun < WAITS_MS) {
      // a first key that is held begins the chord once
      if (!event.repeat || key.toLowerCase() !== "k") forget();
      event.preventDefault();
    } else if (key.toLowerCase() === "k" && !altKey && !shiftKey && (mac ? event.metaKey : event.ctrlKey)) {
      begun = performance.now();
    }
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  // The focus went elsewhere, or a click came between: VS Code has let go of it.
  window.addEventListener("blur", forget);
  window.addEventListener("pointerdown", forget, { capture: true });
}
