/** Small parts that any component may use: icons, buttons, keys. */
import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode, RefObject } from "react";
import { useEffect, useState } from "react";
import { errorMessage } from "../../../src/shared/errorMessage";
import { t } from "../../../src/shared/l10n";
import { usePanel } from "../panel/hooks";
import { ROVING_ROW, useRoving } from "./roving";

/** A codicon. Decoration: the words beside it, or its button's label, say what it means. */
export function Icon({ name, className = "" }: { name: string; className?: string }) {
  return <span className={`codicon codicon-${name} ${className}`} aria-hidden="true" />;
}

/** Names of a message's pictures. @param remove takes out the one at this place; absent: none can go */
export function PictureChips({ names, remove }: { names: readonly string[]; remove?: (at: number) => void }) {
  return names.map((name, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: several may have one name
    <span key={at} className="chip">
      <Icon name="file-media" /> {name}
      {remove ? (
        <IconButton icon="close" label={t("Remove {0} from the message", name)} onClick={() => remove(at)} />
      ) : null}
    </span>
  ));
}

/** A turning wheel. */
export const SPINNER = "loading codicon-modifier-spin";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: string;
  /** accessible name and tooltip */
  label: string;
}

export function IconButton({ icon, label, className = "", ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={`icon-button ${className}`}>
      <Icon name={icon} />
    </button>
  );
}

type ButtonProps = Omit<ComponentProps<"button">, "className">;

export function Button({ primary = false, ...rest }: ButtonProps & { primary?: boolean }) {
  return <button type="button" {...rest} className={primary ? "button primary" : "button"} />;
}

/** A line that opens and closes what stands by it. */
export function Toggle({ open, ...rest }: ComponentProps<"button"> & { open: boolean }) {
  return <button type="button" aria-expanded={open} {...rest} />;
}

/** In a row, whose list moves the focus. */
export function Switch({ label, on, turn }: { label: string; on: boolean; turn(on: boolean): void }) {
  return (
    <input
      type="checkbox"
      role="switch"
      tabIndex={-1}
      checked={on}
      aria-checked={on}
      aria-label={label}
      title={on ? t("Switch off") : t("Switch on")}
      onChange={() => turn(!on)}
    />
  );
}

/** What is done one at a time: pressed again while it goes on, nothing happens. */
export function useBusy<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const run = (...given: Given): void => {
    if (busy) return;
    setBusy(true);
    void act(...given).finally(() => setBusy(false));
  };
  return { busy, run };
}

/** A button that looks like a link. */
export function LinkButton(props: ButtonProps) {
  return <button type="button" {...props} className="link" />;
}

/** The same within text: a button would be a box there, before and after which the line may break. */
export function InlineLink({ onClick, ...props }: { title: string; onClick(): void; children: ReactNode }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
    if ((event.key !== "Enter" && event.key !== " ") || ctrlKey || metaKey || altKey || shiftKey || repeat) return;
    event.preventDefault();
    onClick();
  };
  // Who selects a part of it to copy it lets go of the mouse above it.
  const onMouseClick = ({ currentTarget }: MouseEvent) => {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed || !selection.containsNode(currentTarget, true)) onClick();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button is no text
    <span {...props} role="button" tabIndex={0} className="link" onClick={onMouseClick} onKeyDown={onKeyDown} />
  );
}

/** What a button needs that copies a text, and says for a moment that it did. */
export function useCopy(label: string, text: () => string, icon = "copy") {
  const panel = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const onClick = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
    } catch (error) {
      panel.say(t("The text could not be copied: {0}", errorMessage(error)));
    }
  };
  return { icon: copied ? "check" : icon, label: copied ? t("Copied") : label, onClick };
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  return <IconButton {...useCopy(label, () => text)} className="copy" />;
}

/** A text cut where it matches the words that are typed. */
export function Pieces({ pieces }: { pieces: readonly { text: string; matched: boolean }[] }) {
  const shown = pieces.map(({ text, matched }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
    matched ? <b key={at}>{text}</b> : text,
  );
  // An element: hidden characters are shown in what stands in one.
  return <>{shown}</>;
}

/** Keys, as a button shows them. Not a part of its name: `aria-keyshortcuts` says them. */
export function Keys({ keys }: { keys: readonly string[] }) {
  const mac = navigator.platform.startsWith("Mac");
  return (
    <span className="keys" aria-hidden="true">
      {keys.map(key => (
        <kbd key={key}>{mac && key === "Ctrl" ? "⌘" : key === "Enter" ? "⏎" : key}</kbd>
      ))}
    </span>
  );
}

/** A sentence with names between backticks, as people write code. */
export function WithCode({ text }: { text: string }) {
  // Every second piece stood between two of them.
  const pieces = text.split(/`([^`]+)`/);
  return (
    <span>
      {pieces.map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
        at % 2 === 1 ? <code key={at}>{piece}</code> : piece,
      )}
    </span>
  );
}

type GutterProps = { label: string; box?: RefObject<HTMLDivElement | null>; children: ReactNode };

/**
 * Actions at a corner of what they are about, which the label names: in sight while one points at it or the focus is in it. One stop
 * of Tab; arrows go on from there.
 */
export function Gutter({ label, box, children }: GutterProps) {
  const keys = useRoving(box);
  return (
    <div className="gutter" role="toolbar" aria-label={label} {...ROVING_ROW} {...keys}>
      {children}
    </div>
  );
}
