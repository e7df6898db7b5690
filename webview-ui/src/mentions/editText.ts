/** Changes of a text box that the browser's own Undo takes back. */

/** As if somebody typed it: one step of undo, the cursor ends behind it. The box gets the focus, and tells of it as `input`. */
export function replaceText(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus({ preventScroll: true });
  box.setSelectionRange(start, end);
  if (text === "" && start === end) return;
  // No other way of changing a text box leaves its undo steps alone; where it is switched off, the text is still changed.
  const isDone = document.execCommand(text === "" ? "delete" : "insertText", false, text);
  if (isDone) return;
  box.setRangeText(text, start, end, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** At the cursor, with a blank before it where a word would run into it. */
export function insertAtCursor(box: HTMLTextAreaElement, text: string): void {
  const { selectionStart: start, selectionEnd: end, value } = box;
  const gap = start > 0 && !/\s/.test(value.charAt(start - 1)) ? " " : "";
  replaceText(box, start, end, gap + text);
}
