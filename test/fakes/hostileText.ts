/** What text of others may hold: sequences and characters that steer a terminal, or hide and reorder text. */

const ESC = "\u001b";

export const HOSTILE: Readonly<Record<string, string>> = {
  "CSI: erase the screen": `${ESC}[2J${ESC}[1;1H`,
  "CSI: ask where the cursor is": `${ESC}[6n`,
  "CSI of C1": "\u009b2K",
  "OSC 0: the window's title": `${ESC}]0;owned by me\u0007`,
  "OSC 8: a link": `${ESC}]8;;https://evil.example${ESC}\\here${ESC}]8;;${ESC}\\`,
  "OSC 52: the clipboard": `${ESC}]52;c;cm0gLXJmIH4=\u0007`,
  "OSC of C1": "\u009d0;owned\u009c",
  "OSC without an end": `${ESC}]0;owned`,
  DCS: `${ESC}P$q"p${ESC}\\`,
  reset: `${ESC}c`,
  "carriage return": "safe\rrm -rf ~",
  backspace: "rm\b\bls",
  "NUL, bell, delete": "a\u0000b\u0007c\u007f",
  "override of direction": "a\u202egnp.exe",
  "isolates, marks of direction": "\u2066x\u2069\u202a\u202b\u202c\u202d",
  "line separators": "a\u2028b\u2029",
};

/** All of it, in one line. */
export const hostileText = Object.values(HOSTILE).join(" ");

/** Where `text` holds one of them raw: the place and its code. */
export function rawControls(text: string): string[] {
  return [...text.matchAll(/(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu)].map(
    ({ 0: char, index }) =>
      `U+${char.charCodeAt(0).toString(16)} in ${JSON.stringify(text.slice(Math.max(0, index - 20), index + 20))}`,
  );
}
