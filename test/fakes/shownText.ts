/** Reads what `exactText` shows. */
import { visibleText } from "../../src/shared/shown";

const isSigned = (char: string) => char === "\\" || /\p{M}/u.test(char) || visibleText(char) !== char;

/** The text that is shown so. */
export function readExact(shown: string): string {
  return shown.replace(/\\u\{([0-9a-f]{1,6})\}|[\u2400-\u2421]/g, (sign, hex?: string) => {
    if (hex === undefined) return sign === "␡" ? "\u007f" : String.fromCharCode(sign.charCodeAt(0) - 0x2400);
    const code = Number.parseInt(hex, 16);
    if (code > 0x10ffff) return sign;
    const char = String.fromCodePoint(code);
    return isSigned(char) ? char : sign;
  });
}
