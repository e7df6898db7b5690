import { type ClipboardEvent, type RefObject, useEffect, useState } from "react";
import { mayBegin } from "../../../src/core/mentions/parse";
import { insertAtCursor, replaceText } from "../mentions/editText";
import { bringsFiles, droppedPlaces, pastedPlaces } from "../mentions/places";
import { usePanel } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { count } from "../text/format";

type Box = RefObject<HTMLTextAreaElement | null>;

/** Files that are dropped anywhere on the panel become mentions. @returns whether some are dragged over it now */
export function useDroppedFiles(box: Box, enabled: boolean): boolean {
  const panel = usePanel();
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!enabled) return;
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer === null || !bringsFiles(event.dataTransfer.types)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (event.dataTransfer === null || !bringsFiles(event.dataTransfer.types)) return;
      event.preventDefault();
      void mentionDropped(panel, box, droppedPlaces(event.dataTransfer));
    };
    const listeners = { dragover: onDragOver, dragleave: onDragLeave, drop: onDrop };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, [panel, box, enabled]);
  return over;
}

async function mentionDropped(panel: Panel, box: Box, places: readonly string[]): Promise<void> {
  if (places.length === 0) {
    panel.say("What was dropped does not say where it is. Drag files from the explorer, or paste their paths.");
    return;
  }
  const answer = await panel.mentionPlaces(places);
  if (answer === undefined || box.current === null) return;
  const mentions = answer.filter(mention => mention !== null);
  if (mentions.length > 0) insertAtCursor(box.current, `${mentions.join(" ")} `);
  const left = answer.length - mentions.length;
  if (left > 0) panel.say(`${count(left, "dropped file")} could not be mentioned: only what is in this workspace can.`);
}

/**
 * A paste of nothing but paths: it lands as it is, and becomes mentions once the host knows all of them. One undo brings the
 * paths back.
 */
export function usePastedPaths(box: Box): (event: ClipboardEvent<HTMLTextAreaElement>) => void {
  const panel = usePanel();
  return event => {
    const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    const places = pastedPlaces(pasted);
    if (places === undefined || event.currentTarget.readOnly) return;
    void mentionPasted(panel, box, { places, pasted, start: event.currentTarget.selectionStart });
  };
}

async function mentionPasted(
  panel: Panel,
  box: Box,
  { places, pasted, start }: { places: string[]; pasted: string; start: number },
): Promise<void> {
  const mentions = await panel.mentionPlaces(places);
  const end = start + pasted.length;
  if (mentions === undefined || mentions.includes(null) || box.current === null) return;
  const { value, selectionStart: from, selectionEnd: to } = box.current;
  // Something else was done meanwhile, or what stands before would make it no mention.
  if (value.slice(start, end) !== pasted || !mayBegin(value, start)) return;
  const text = `${mentions.join(" ")}${/^\s/.test(value.slice(end)) ? "" : " "}`;
  replaceText(box.current, start, end, text);
  const moved = (offset: number) => (offset >= end ? offset + text.length - pasted.length : offset);
  box.current.setSelectionRange(moved(from), moved(to));
}
