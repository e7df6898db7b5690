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
