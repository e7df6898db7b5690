/**
 * What could hide or reorder text (control, zero-width and bidirectional characters) → a visible sign: "␛", "\u{202e}".
 * Line feeds and tabs stay. For texts that a person decides by.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, char => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "␡" : `\\u{${code.toString(16)}}`;
  });
}

// Beside the marks of direction and of no width: C1 controls, soft hyphen, line separators, tags.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;
