/**
 * Shapes that are a secret wherever they stand (private keys: text/privateKeys.ts), from what providers document of their
 * keys. Group 1, if any, is the text before the secret: a look back from every character would cost a hundred
 * times as much. None may span lines: redactingWriter cuts there. Each begins with letters that are rare, so that a long text
 * is read in time that grows with its length. Why: C-7.
 */
import type { NamedValue } from "../ground/ports";
import { isCommon, looksRandom, looksSecret, MIN_ENV_LENGTH } from "./looksSecret";
import { Signs } from "./signs";

interface Shape {
  name: string;
  pattern: RegExp;
  /** As `Signs`: every text that the pattern fits has one. Absent: there is no such list */
  signs?: string;
  /** Where the pattern alone would take other text for a secret: whether this is one. `before`: up to 64 characters */
  isSecret?(value: string, before: string): boolean;
}

// A name that only a secret has, a sign and a value. The last word of the name is looked for, since few texts have it before a
// sign; the rest of the name is looked at then.
const LAST_WORD = "(?:secret|key|token|passw(?:or)?d|passphrase|connection[_-]?string)";
/** `": "`, `=`, `=>`, also as JSON within a string has it */
const SIGN = "(?:\\\\{0,3}[\"'])?[ \\t]{0,4}(?:=>|:=|[=:])[ \\t]{0,4}";
const QUOTED = "\\\\{0,3}[\"'](?=[^\\s\"'\\\\…]{12,512}(?:\\\\{0,3}[\"']|[\\r\\n…]|$))";
/** It ends as a word does, or as the string around it: `{"line":"token: x"}`, `"token: x\\n"`. */
const BARE = "(?=[^\\s\"'`\\\\,;(){}[\\]<>$&|…]{16,200}(?:[\\s,;&…]|\\\\{1,3}[nrt\"']|[\"'](?:[\\s,;)}\\]]|$)|$))";
const NAME =
  /(?:(?:client|app|consumer|webhook|signing|shared|jwt|session|cookie)[_-]?secret|secret[_-]?(?:access[_-]?)?key|(?:api|account|private|encryption|master|license|signing|(?:shared[_-]?)?access)[_-]?key|(?:access|refresh|auth|bearer|bot|api|id|session|deploy|registry)[_-]?token|passw(?:or)?d|passphrase|string)(?:\\{0,3}["'])?[ \t]{0,4}(?:=>|[:=]).{0,8}$/i;

const BEARER = /((?:\bBearer|Authorization\W{1,9}token)[ \t]{1,4})[A-Za-z0-9._~+/-]{16,}=*/gi;
const isNamed = (value: string, before: string) => NAME.test(before) && looksSecret({ name: "API_KEY", value });
/** Not a port, a variable or a value of every compose file. */
const isPassword = (value: string): boolean =>
  !isCommon(value) && !/^[\d:]+$|^[$%]\{?\w+[%}]?$|^<[^<>]*>$|^\{\{?[\w. ]+\}\}?$/.test(value);

export const shapes: readonly Shape[] = [
  { name: "anthropic-key", signs: "sk-ant-", pattern: /(?<![\w-])sk-ant-[A-Za-z0-9_-]{20,}/g },
  // A digit, so that a name like `sk-learn-model-selection` is none.
  {
    name: "openai-key",
    signs: "sk-",
    pattern: /(?<![\w-])sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g,
  },
  {
    name: "github-token",
    signs: "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g,
  },
  {
    name: "gitlab-token",
    signs: "glpat-|gldt-|glrt|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-|glffct-|glwt-",
    pattern:
      /\bgl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?/g,
  },
  { name: "slack-token", signs: "xox", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  {
    name: "webhook",
    signs: "hook",
    pattern:
      /(https:\/\/(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/|[\w-]+\.webhook\.office\.com\/webhookb2\/))[A-Za-z0-9@/_-]{20,}/g,
    isSecret: value => /\d/.test(value),
  },
  { name: "aws-key-id", signs: "akia|asia|abia|acca", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  {
    name: "aws-secret",
    signs: "aws_secret",
    pattern: /(aws_secret_access_key["']?[ \t]*[=:][ \t]*["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
  },
  {
    name: "azure-key",
    signs: "key",
    pattern:
      /((?:AccountKey|SharedAccessKey|account_?key)["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)[A-Za-z0-9+/]{40,}={0,2}/gi,
  },
  { name: "azure-sas", signs: "sig=", pattern: /([?&]sig=)[A-Za-z0-9%+/]{40,}=?/g },
  { name: "azure-secret", signs: "#q~", pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}/g },
  { name: "google-key", signs: "aiza", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: "google-secret", signs: "gocspx-|1//0", pattern: /\bGOCSPX-[A-Za-z0-9_-]{24,}|\b1\/\/0[A-Za-z0-9_-]{40,}/g },
  { name: "stripe-key", signs: "k_live_|k_test_", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { name: "npm-token", signs: "npm_", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    name: "npm-auth",
    signs: "_auth|_password",
    pattern: /((?:_authToken|_auth|_password)[ \t]{0,4}=[ \t]{0,4}["']?)[^\s"'$]{8,}/g,
    isSecret: value => !/^(?:<.*>|x+|\*+)$/.test(value),
  },
  { name: "bot-token", pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g, signs: ":aa" },
  {
    name: "bot-token",
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])/g,
  },
  { name: "twilio-key", signs: "sk#|ska|skb|skc|skd|ske|skf", pattern: /\bSK[0-9a-f]{32}\b/g },
  {
    name: "vault-token",
    signs: "hvs.|hvb.|hvr.|dp.",
    pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{24,}|\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}/g,
  },
  {
    name: "service-token",
    signs:
      "hf_|sg.|pypi-|dckr_pat_|doo_v1_|dop_v1_|dor_v1_|shpat_|shpss_|shpca_|shppa_|xapp-|ya29.|whsec_|dapi|gsk_|xai-|pplx-|r8_|lin_api_|lin_oauth_|ntn_|secret_|figd_|pmak-|glsa_|glc_|sntrys_|sntryu_|nrak-|sbp_|pscale_|atatt3|rubygems_|age-secret-key-1|akcp|ltai|hrku-|bkua_|ccipat_|sgp_|sq0|eaaa|fo1_|key-|-us#|ops_eyj",
    pattern:
      /\b(?:hf_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{30,}|pypi-[\w-]{50,}|dckr_pat_[\w-]{20,}|do[opr]_v1_[0-9a-f]{60,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|xapp-\d-[A-Za-z0-9-]{20,}|ya29\.[\w-]{30,}|whsec_[A-Za-z0-9+/=]{24,}|dapi[0-9a-f]{32}(?:-\d)?|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|lin_(?:api|oauth)_[A-Za-z0-9]{30,}|(?:ntn|secret)_[A-Za-z0-9]{40,}|figd_[\w-]{40,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|gl(?:sa|c)_[A-Za-z0-9+/=_]{30,}|sntry[su]_[A-Za-z0-9+/=_]{30,}|NRAK-[A-Z0-9]{27}|sbp_[0-9a-f]{40}|pscale_(?:tkn|pw|oauth)_[\w-]{30,}|ATATT3[\w=-]{40,}|rubygems_[0-9a-f]{40,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}|AKCp[A-Za-z0-9]{50,}|LTAI[A-Za-z0-9]{16,26}|HRKU-[\w-]{30,}|bkua_[0-9a-f]{40}|CCIPAT_\w{20,}|sgp_\w{40,}|sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{56,}|fo1_[\w-]{40,}|key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|ops_eyJ[\w-]{60,})(?![\w-])/g,
  },
  // Not behind a hyphen: each such start would look through the whole rest of a long word.
  { name: "jwt", signs: "eyj", pattern: /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  {
    name: "url-password",
    signs: "://",
    pattern: /((?<=[a-z0-9+.-]):\/\/[^\s:/@]{0,256}:)[^\s/@"']{5,256}(?=@)/gi,
    isSecret: isPassword,
  },
  { name: "bearer", signs: "bearer|authorization", pattern: BEARER, isSecret: looksRandom },
  {
    name: "basic-auth",
    signs: "basic",
    pattern: /(\bBasic[ \t]{1,4})[A-Za-z0-9+/]{12,}={0,2}(?![\w+/-])/gi,
    isSecret: looksRandom,
  },
  {
    name: "docker-auth",
    signs: "auth",
    pattern: /("auth\\{0,3}"[ \t]*:[ \t]*\\{0,3}")[A-Za-z0-9+/]{12,}={0,2}(?=\\{0,3}")/g,
    isSecret: looksRandom,
  },
  {
    name: "named-secret",
    signs: "secret|key|token|passw|passphrase|connection",
    pattern: new RegExp(
      `(${LAST_WORD}${SIGN}(?:${QUOTED}|${BARE}))(?:(?<=["'])[^\\s"'\\\\…]{12,512}|[^\\s"'\\\\,;&…]{12,200})`,
      "gi",
    ),
    isSecret: isNamed,
  },
];

const gitlab = [..."abcdefghijklmnopqrstuvwxyz"].map(letter => `gl${letter}`).join("|");
const shapeSigns = new Signs([...shapes.map(({ signs = "" }) => signs), gitlab]);
const SIGNLESS = shapes.reduce((bits, { signs }, at) => (signs === undefined ? bits | (1 << at) : bits), 0);
const SIGNLESS_HINT = /\.[\w-]{6}\./;

/** Which shapes a part of a text may have, a bit each, and one for what a cut left of a token; 0: neither. `signless`: as below. */
export const shapesIn = (text: string, signless = signlessIn(text), from?: number, to?: number): number =>
  shapeSigns.in(text, from, to) | signless;

/** For `shapesIn`: the shapes without signs that a text may have. */
export const signlessIn = (text: string): number => (SIGNLESS_HINT.test(text) ? SIGNLESS : 0);

/** `http://name:password@proxy:8080`, `https://token@host`, also without what says that it is an address. */
const ADDRESS_OF_ONE = /\/\/[^/\s]*@|^[^\s/@:]+:[^\s/@]+@/;

/** A variable that is a secret by its name, or has one in its value. */
export function holdsSecret({ name, value }: NamedValue): boolean {
  if (looksSecret({ name, value }, MIN_ENV_LENGTH) || ADDRESS_OF_ONE.test(value)) return true;
  const may = shapesIn(value);
  return shapes.some(({ pattern, isSecret }, at) =>
    [...((may >>> at) & 1 ? value.matchAll(pattern) : [])].some(({ 0: found, 1: before = "", index }) => {
      const start = index + before.length;
      return isSecret?.(found.slice(before.length), value.slice(Math.max(0, start - 64), start)) !== false;
    }),
  );
}

// What a cut (`head -c`, a limit) left of a token at the end of a line or before an ellipsis: its shape is none any more, but
// nearly all of it may be there. What it begins with has a sign of a shape. Only words are looked at that may have been cut.

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
const CUT_SHAPES: readonly { pattern: RegExp; isSecret(value: string): boolean }[] = [
  { pattern: new RegExp(`(^|[^\\w-])(?:${BEGINNING})[\\w+/=~.-]{12,512}$`), isSecret: hasMixedRun },
  { pattern: /([?&]sig=)[A-Za-z0-9%+/]{12,512}=?$/, isSecret: hasMixedRun },
  { pattern: /("auth"[ \t]{0,4}:[ \t]{0,4}")[A-Za-z0-9+/]{12,512}={0,2}$/, isSecret: looksRandom },
  { pattern: /([a-z0-9+.-]:\/\/[\w.%+-]{1,256}:)[^\s/@"'…[\]:]{8,256}$/i, isSecret: isPassword },
];

/** UTF-16 units: in a longer word each ellipsis would cost a look at all of it */
const MOST = 801;
const WORD = /(?<![^\0- "'])[^\0- "']{12,}/g;
/** before a word, which may tell what it is */
const CONTEXT = 24;

/** UTF-16 offsets, from left to right. */
export const findCutTokens = (text: string): { start: number; end: number }[] =>
  [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    cutsIn(word, text.charAt(index + word.length)).flatMap(cut => {
      const end = index + cut;
      const length = cutToken(text.slice(Math.max(0, index - CONTEXT), end));
      return length > 0 ? [{ start: end - length, end }] : [];
    }),
  );

/** Where in a word something may have been cut off: before an ellipsis, and at its end if the line ends there. */
function cutsIn(word: string, behind: string): number[] {
  const cuts: number[] = [];
  for (let at = word.indexOf("…"); at >= 0 && at <= MOST; at = word.indexOf("…", at + 1)) cuts.push(at);
  if (["", "\n", "\r"].includes(behind) && word.length <= MOST) cuts.push(word.length);
  return cuts.filter(cut => isMixed(word.slice(0, cut)));
}

/** Characters of the token that a text ends with; 0: with none. */
function cutToken(text: string): number {
  for (const { pattern, isSecret } of CUT_SHAPES) {
    const [whole, before = ""] = pattern.exec(text) ?? [];
    const value = whole?.slice(before.length);
    if (value !== undefined && isSecret(value)) return value.length;
  }
  return 0;
}
