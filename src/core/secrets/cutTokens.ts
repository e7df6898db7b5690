/**
 * What a cut left of a token, at the end of a line or before an ellipsis: `head -c`, `cut`, a limit. Its shape is none any
 * more, but nearly all of it may be there. Only in words where something may have been cut: expressions that fit anywhere
 * would take longer than all shapes together. What it begins with has a sign of a shape (shapes.ts).
 */
import { looksRandom } from "./looksSecret";
import { isPassword } from "./shapes";

const BEGINNING =
  "sk-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[abeoprs]-|AIza|GOCSPX-|1//0|[sr]k_(?:live|test)_|npm_|SK(?=[0-9a-f]{12})|hv[sbr]\\.|" +
  "dp\\.(?:pt|st|ct|sa|scim|audit)\\.|hf_|SG\\.|pypi-|dckr_pat_|do[opr]_v1_|shp(?:at|ss|ca|pa)_|xapp-|ya29\\.|whsec_|" +
  "gl(?:sa|c)_|dapi(?=[0-9a-f]{12})|gsk_|xai-|pplx-|r8_|lin_(?:api|oauth)_|ntn_|secret_|figd_|PMAK-|sntry[su]_|NRAK-|sbp_|" +
  "pscale_(?:tkn|pw|oauth)_|ATATT3|rubygems_|AGE-SECRET-KEY-1|AKCp|LTAI|HRKU-|bkua_|CCIPAT_|sgp_|sq0[a-z]{3}-|EAAA|fo1_|" +
  "key-(?=[0-9a-f]{12})|ops_eyJ|\\d{8,10}:AA|[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.|[\\w~.-]{3}\\dQ~";

const isMixed = (value: string) => /\d/.test(value) && /[A-Za-z]/.test(value);
/** Letters and digits in one word: names have few of those. */
const hasMixedRun = (value: string) => (value.match(/[A-Za-z0-9]{8,}/g) ?? []).some(isMixed);

/** Group 1 is the text before the token. */
const SHAPES: readonly { pattern: RegExp; isSecret(value: string): boolean }[] = [
  { pattern: new RegExp(`(^|[^\\w-])(?:${BEGINNING})[\\w+/=~.-]{12,512}$`), isSecret: hasMixedRun },
  { pattern: /([?&]sig=)[A-Za-z0-9%+/]{12,512}=?$/, isSecret: hasMixedRun },
  { pattern: /("auth"[ \t]{0,4}:[ \t]{0,4}")[A-Za-z0-9+/]{12,512}={0,2}$/, isSecret: looksRandom },
  { pattern: /([a-z0-9+.-]:\/\/[\w.%+-]{1,256}:)[^\s/@"'…[\]:]{8,256}$/i, isSecret: isPassword },
];

/** UTF-16 units: a shorter one tells little, and in a longer one each ellipsis would cost a look at all of it */
const MOST = 801;
const WORD = /[^\0- "']{12,}/g;
/** of what may stand before a word and tell what it is */
const CONTEXT = 24;

/** UTF-16 offsets, from left to right. */
export function findCutTokens(text: string): { start: number; end: number }[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    cutsIn(word, text.charAt(index + word.length)).flatMap(cut => {
      const end = index + cut;
      const length = cutToken(text.slice(Math.max(0, index - CONTEXT), end));
      return length > 0 ? [{ start: end - length, end }] : [];
    }),
  );
}

/** Where in a word something may have been cut off: before an ellipsis, and at its end if the line ends there. */
function cutsIn(word: string, behind: string): number[] {
  const cuts: number[] = [];
  for (let at = word.indexOf("…"); at >= 0 && at <= MOST; at = word.indexOf("…", at + 1)) cuts.push(at);
  if (["", "\n", "\r"].includes(behind) && word.length <= MOST) cuts.push(word.length);
  return cuts.filter(cut => isMixed(word.slice(0, cut)));
}

/** Characters of the token that a text ends with; 0: with none. */
function cutToken(text: string): number {
  for (const { pattern, isSecret } of SHAPES) {
    const [whole, before = ""] = pattern.exec(text) ?? [];
    const value = whole?.slice(before.length);
    if (value !== undefined && isSecret(value)) return value.length;
  }
  return 0;
}
