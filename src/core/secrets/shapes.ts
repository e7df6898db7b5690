/**
 * Shapes that are a secret wherever they stand (private keys: text/privateKeys.ts), from what providers document of their
 * keys. Group 1, if any, is the text before the secret: a look back from every character would cost a hundred
 * times as much. None may span lines: redactingWriter cuts there. Each begins with letters that are rare, so that a long text
 * is read in time that grows with its length.
 * Why: C-7.
 */
import type { NamedValue } from "../ground/ports";
import { isCommon, looksRandom, looksSecret, MIN_ENV_LENGTH } from "./looksSecret";

interface Shape {
  name: string;
  pattern: RegExp;
  /** Three characters each, in small letters, parted by blanks: every text that the pattern fits has one. Absent: there is no such list */
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

const isNamed = (value: string, before: string) => NAME.test(before) && looksSecret({ name: "API_KEY", value });
/** Not a port, a variable or a value of every compose file. */
export const isPassword = (value: string): boolean =>
  !isCommon(value) && !/^[\d:]+$|^[$%]\{?\w+[%}]?$|^<[^<>]*>$|^\{\{?[\w. ]+\}\}?$/.test(value);

export const shapes: readonly Shape[] = [
  { name: "anthropic-key", signs: "sk-", pattern: /(?<![\w-])sk-ant-[A-Za-z0-9_-]{20,}/g },
  // A digit, so that a name like `sk-learn-model-selection` is none.
  {
    name: "openai-key",
    signs: "sk-",
    pattern: /(?<![\w-])sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g,
  },
  {
    name: "github-token",
    signs: "ghp gho ghu ghs ghr ub_",
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g,
  },
  {
    name: "gitlab-token",
    signs: "glp gld glr glc glf gli gla glo gls glw",
    pattern:
      /\bgl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?/g,
  },
  { name: "slack-token", signs: "xox", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  {
    name: "webhook",
    signs: "hoo",
    pattern:
      /(https:\/\/(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/|[\w-]+\.webhook\.office\.com\/webhookb2\/))[A-Za-z0-9@/_-]{20,}/g,
    isSecret: value => /\d/.test(value),
  },
  { name: "aws-key-id", signs: "kia sia bia cca", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  {
    name: "aws-secret",
    signs: "aws",
    pattern: /(aws_secret_access_key["']?[ \t]*[=:][ \t]*["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
  },
  {
    name: "azure-key",
    signs: "key",
    pattern:
      /((?:AccountKey|SharedAccessKey|account_?key)["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)[A-Za-z0-9+/]{40,}={0,2}/gi,
  },
  { name: "azure-sas", signs: "sig", pattern: /([?&]sig=)[A-Za-z0-9%+/]{40,}=?/g },
  {
    name: "azure-secret",
    signs: "0q~ 1q~ 2q~ 3q~ 4q~ 5q~ 6q~ 7q~ 8q~ 9q~",
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}/g,
  },
  { name: "google-key", signs: "aiz", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: "google-secret", signs: "goc 1//", pattern: /\bGOCSPX-[A-Za-z0-9_-]{24,}|\b1\/\/0[A-Za-z0-9_-]{40,}/g },
  { name: "stripe-key", signs: "k_l k_t", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { name: "npm-token", signs: "npm", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    name: "npm-auth",
    signs: "_au _pa",
    pattern: /((?:_authToken|_auth|_password)[ \t]{0,4}=[ \t]{0,4}["']?)[^\s"'$]{8,}/g,
    isSecret: value => !/^(?:<.*>|x+|\*+)$/.test(value),
  },
  { name: "bot-token", pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g, signs: ":aa" },
  {
    name: "bot-token",
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])/g,
  },
  {
    name: "twilio-key",
    signs: "sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf",
    pattern: /\bSK[0-9a-f]{32}\b/g,
  },
  {
    name: "vault-token",
    signs: "hvs hvb hvr dp.",
    pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{24,}|\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}/g,
  },
  {
    name: "service-token",
    signs:
      "hf_ sg. pyp ckr dop doo dor shp xap ya2 whs dap gsk xai ppl r8_ n_a n_o ntn et_ fig pma gls glc snt nra sbp psc tt3 rub ge- akc lta hrk bku cci sgp sq0 eaa fo1 ey- -us ops",
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
  { name: "bearer", signs: "bea", pattern: /(\bBearer[ \t]{1,4})[A-Za-z0-9._~+/-]{16,}=*/gi, isSecret: looksRandom },
  {
    name: "basic-auth",
    signs: "sic",
    pattern: /(\bBasic[ \t]{1,4})[A-Za-z0-9+/]{12,}={0,2}(?![\w+/-])/gi,
    isSecret: looksRandom,
  },
  {
    name: "docker-auth",
    signs: "uth",
    pattern: /("auth\\{0,3}"[ \t]*:[ \t]*\\{0,3}")[A-Za-z0-9+/]{12,}={0,2}(?=\\{0,3}")/g,
    isSecret: looksRandom,
  },
  {
    name: "named-secret",
    signs: "sec key tok ssw ssp nec",
    pattern: new RegExp(
      `(${LAST_WORD}${SIGN}(?:${QUOTED}|${BARE}))(?:(?<=["'])[^\\s"'\\\\…]{12,512}|[^\\s"'\\\\,;&…]{12,200})`,
      "gi",
    ),
    isSecret: isNamed,
  },
];

// Most texts have no sign of most shapes: to look for all signs at once takes a tenth of looking for each shape.

/** Of a character, as small letters have it: the same for what differs in its case alone. */
const sixBits = (unit: number): number => (unit & 31) | (unit & 64 ? 32 : 0);

/** By the first two characters of a sign which third ones there are, a bit each. */
const thirds = new Int32Array(1 << 12);
/** sign → the shapes that it is one of, a bit each */
const shapesBySign = new Map<number, number>();
const ALWAYS = shapes.reduce((bits, { signs }, at) => (signs === undefined ? bits | (1 << at) : bits), 0);

for (const [at, { signs = "" }] of shapes.entries()) {
  for (const sign of signs.split(" ").filter(each => each !== "")) {
    const [first = 0, second = 0, third = 0] = [...sign].map(each => sixBits(each.charCodeAt(0) | 32));
    const two = (first << 6) | second;
    thirds[two] = (thirds[two] ?? 0) | (1 << (third & 31));
    const key = (two << 6) | third;
    shapesBySign.set(key, (shapesBySign.get(key) ?? 0) | (1 << at));
  }
}

/** Which shapes a text may have, a bit each. */
export function shapesIn(text: string): number {
  let found = ALWAYS;
  let two = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = sixBits(text.charCodeAt(at) | 32);
    if (((thirds[two] ?? 0) >> (unit & 31)) & 1) found |= shapesBySign.get((two << 6) | unit) ?? 0;
    two = ((two << 6) | unit) & 0xfff;
  }
  return found;
}

/** `http://name:password@proxy:8080`, `https://token@host`, also without what says that it is an address. */
const ADDRESS_OF_ONE = /\/\/[^/\s]*@|^[^\s/@:]+:[^\s/@]+@/;

/** A variable that is a secret by its name, or has one in its value. */
export function holdsSecret({ name, value }: NamedValue): boolean {
  if (looksSecret({ name, value }, MIN_ENV_LENGTH) || ADDRESS_OF_ONE.test(value)) return true;
  const may = shapesIn(value);
  return shapes.some(({ pattern, isSecret }, at) => {
    if (((may >>> at) & 1) === 0) return false;
    return [...value.matchAll(pattern)].some(({ 0: found, 1: before = "", index }) => {
      const start = index + before.length;
      return isSecret?.(found.slice(before.length), value.slice(Math.max(0, start - 64), start)) !== false;
    });
  });
}
