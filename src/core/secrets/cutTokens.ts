/**
 * What a cut left of a token, at the end of a line or before an ellipsis: `head -c`, `cut`, a limit. Its shape is none any
 * more, but nearly all of it may be there. Looked for from the ends of lines, where few texts have such words: expressions
 * that fit anywhere would take longer than all shapes together.
 */
import { looksRandom } from "./looksSecret";
import { isPassword } from "./shapes";

const BEGINNING =
  "sk-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[abeoprs]-|AIza|GOCSPX-|1//0|[sr]k_(?:live|test)_|npm_|SK(?=[0-9a-f]{12})|hv[sbr]\\.|" +
  "dp\\.(?:pt|st|ct|sa|scim|audit)\\.|hf_|SG\\.|pypi-|dckr_pat_|do[opr]_v1_|shp(?:at|ss|ca|pa)_|xapp-|ya29\\.|whsec_|" +
  "gl(?:sa|c)_|dapi(?=[0-9a-f]{12})|gsk_|xai-|pplx-|r8_|lin_(?:api|oauth)_|ntn_|secret_|figd_|PMAK-|sntry[su]_|NRAK-|sbp_|" +
  "pscale_(?:tkn|pw|oauth)_|ATATT3|rubygems_|AGE-SECRET-KEY-1|AKCp|LTAI|HRKU-|bkua_|CCIPAT_|sgp_|sq0[a-z]{3}-|EAAA|fo1_|" +
  "key-(?=[0-9a-f]{12})|ops_eyJ|\\d{8,10}:AA|[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.|[\\w~.-]{3}\\dQ~";

/** Letters and digits in one word: names have few of those. */
const isMixed = (value: string) =>
  (value.match(/[A-Za-z0-9]{8,}/g) ?? []).some(run => /\d/.test(run) && /[A-Za-z]/.test(run));

/** Group 1 is the text before the token. */
const SHAPES: readonly { pattern: RegExp; isSecret(value: string): boolean }[] = [
  { pattern: new RegExp(`(^|[^\\w-])(?:${BEGINNING})[\\w+/=~.-]{12,512}$`), isSecret: isMixed },
  { pattern: /([?&]sig=)[A-Za-z0-9%+/]{12,512}=?$/, isSecret: isMixed },
  { pattern: /("auth"[ \t]{0,4}:[ \t]{0,4}")[A-Za-z0-9+/]{12,512}={0,2}$/, isSecret: looksRandom },
  { pattern: /([a-z0-9+.-]:\/\/[\w.%+-]{1,256}:)[^\s/@"'…[\]:]{8,256}$/i, isSecret: isPassword },
];

/** UTF-16 units; a shorter one tells little */
const LEAST = 12;
const MOST = 801;
/** of what may stand before a word and tell what it is */
const CONTEXT = 24;

/** UTF-16 offsets, from left to right. */
export function findCutTokens(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const next = (cut: string, from: number) => {
    const at = text.indexOf(cut, from);
    return at < 0 ? text.length : at;
  };
  // Where something may have been cut, beside the end of the text.
  let [lineEnd, carriage, ellipsis] = [next("\n", 0), next("\r", 0), next("…", 0)];
  /** of the word, where it begins and whether it is one of letters and digits both */
  let word = 0;
  let letters = false;
  let digits = false;
  for (let looked = -1; looked < text.length; ) {
    const end = Math.min(lineEnd, carriage, ellipsis);
    let at = end;
    let unit = at > 0 ? text.charCodeAt(at - 1) : 0;
    let hasLetters = false;
    let hasDigits = false;
    while (at > looked && at > 0 && !isBlankOrQuote(unit)) {
      if (unit >= 0x30 && unit <= 0x39) hasDigits = true;
      else if ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) hasLetters = true;
      at -= 1;
      unit = text.charCodeAt(at - 1);
    }
    // An ellipsis ends no word: the text before one was looked at.
    const isSameWord = at === looked;
    letters = hasLetters || (isSameWord && letters);
    digits = hasDigits || (isSameWord && digits);
    if (!isSameWord) word = at;
    if (letters && digits && end - word >= LEAST && end - word <= MOST) {
      const start = cutTokenAt(text, word, end);
      if (start !== undefined) found.push({ start, end });
    }
    looked = end;
    if (lineEnd === end) lineEnd = next("\n", end + 1);
    if (carriage === end) carriage = next("\r", end + 1);
    if (ellipsis === end) ellipsis = next("…", end + 1);
  }
  return found;
}

const isBlankOrQuote = (unit: number): boolean => unit <= 0x20 || unit === 0x22 || unit === 0x27;

/** Where the token begins that a word ends with; undefined: with none. */
function cutTokenAt(text: string, word: number, end: number): number | undefined {
  const line = text.slice(Math.max(0, word - CONTEXT), end);
  for (const { pattern, isSecret } of SHAPES) {
    const [whole, before = ""] = pattern.exec(line) ?? [];
    const value = whole?.slice(before.length);
    if (value !== undefined && isSecret(value)) return end - value.length;
  }
  return undefined;
}
