/** What a person tells in a long session: facts in ten languages, among requests and pasted text. */

export interface Fact {
  /** as it is said */
  text: string;
  /** what has to stand in the request */
  needle: string;
  kind: "number" | "name" | "path" | "date" | "must" | "taste" | "reason";
  /** `inside`: amid a longer request; `pasted`: behind a pasted log; `alone`: a message of its own */
  how: "alone" | "inside" | "pasted" | "answer" | "denial";
}

const fact = (kind: Fact["kind"], how: Fact["how"], text: string, needle = text): Fact => ({ kind, how, text, needle });

const ENGLISH: Fact[] = [
  fact("number", "inside", "The staging database listens on port 55432.", "port 55432"),
  fact("number", "alone", "Our retry limit is seven, not three.", "seven, not three"),
  fact("number", "pasted", "The invoice service may take 840 ms at most.", "840 ms at most"),
  fact("number", "answer", "version 15.4, since 16 breaks the collation", "15.4, since 16 breaks"),
  fact("name", "inside", "My manager Ulla Bergström signs off on schema changes.", "Ulla Bergström"),
  fact("name", "alone", "The customer is called Halvorsen Shipping.", "Halvorsen Shipping"),
  fact("name", "pasted", "We call the new module Lanternfish.", "Lanternfish"),
  fact("name", "answer", "the cluster named kestrel", "kestrel"),
  fact("path", "inside", "Fixtures live in testdata/golden/v2.", "testdata/golden/v2"),
  fact("path", "alone", "The legacy rates are in src/rates/old_table.csv.", "src/rates/old_table.csv"),
  fact("path", "denial", "keep old0 and move it to /srv/attic instead", "/srv/attic"),
  fact("date", "inside", "The demo is on 14 March.", "14 March"),
  fact("date", "alone", "The freeze begins next Thursday at noon.", "next Thursday at noon"),
  fact("date", "pasted", "The certificate runs out on 2027-02-11.", "2027-02-11"),
  fact("must", "inside", "Never push to the release branch.", "Never push to the release branch"),
  fact("must", "alone", "You must ask before you touch billing code.", "ask before you touch billing"),
  fact("must", "pasted", "No new dependencies without a ticket.", "No new dependencies"),
  fact("must", "denial", "never delete anything under old, ever", "never delete anything under old"),
  fact("taste", "inside", "I like short functions and no comments that repeat the code.", "no comments that repeat"),
  fact("taste", "alone", "Answer me in short sentences, please.", "short sentences"),
  fact("taste", "answer", "tabs in Makefiles, two spaces elsewhere", "tabs in Makefiles"),
  fact("reason", "inside", "We left MongoDB because of the transactions.", "because of the transactions"),
  fact("reason", "pasted", "The cache is off since the Berlin incident.", "Berlin incident"),
  fact("reason", "alone", "We round half to even because the auditors want it.", "auditors want it"),
];

const six = (texts: readonly [string, string][]): Fact[] =>
  texts.map(([text, needle], at) =>
    fact("must", (["inside", "alone", "pasted"] as const)[at % 3] ?? "alone", text, needle),
  );

export const FACTS: Record<string, Fact[]> = {
  English: ENGLISH,
  German: six([
    ["Der Testserver heißt Möwe und läuft auf Port 8543.", "Port 8543"],
    ["Ändere niemals die Tabelle für Altkunden.", "Tabelle für Altkunden"],
    ["Die Abnahme ist am 3. Mai.", "3. Mai"],
    ["Ich mag keine englischen Kommentare.", "keine englischen Kommentare"],
    ["Frau Öztürk gibt die Freigabe.", "Öztürk"],
    ["Wir runden kaufmännisch, weil die Prüfer das wollen.", "weil die Prüfer"],
  ]),
  French: six([
    ["Le serveur de recette s'appelle goéland, port 8544.", "port 8544"],
    ["Ne touche jamais au dossier des archives.", "dossier des archives"],
    ["La livraison est le 12 juin.", "12 juin"],
    ["J'aime les fonctions courtes.", "fonctions courtes"],
    ["C'est Madame Lefèvre qui valide.", "Lefèvre"],
    ["On garde la virgule à cause des comptables.", "cause des comptables"],
  ]),
  Spanish: six([
    ["El servidor de pruebas usa el puerto 8545.", "puerto 8545"],
    ["No borres nunca la carpeta de facturas.", "carpeta de facturas"],
    ["La entrega es el 9 de julio.", "9 de julio"],
    ["Prefiero nombres largos y claros.", "nombres largos y claros"],
    ["Lo aprueba Núria Puig.", "Núria Puig"],
    ["Dejamos Redis por las caídas de abril.", "caídas de abril"],
  ]),
  Chinese: six([
    ["测试服务器的端口是 8546。", "端口是 8546"],
    ["绝对不要修改发票目录。", "不要修改发票目录"],
    ["演示定在五月二十号。", "五月二十号"],
    ["注释一律用中文写。", "注释一律用中文"],
    ["由王小明负责审批。", "王小明"],
    ["缓存关掉是因为上次的事故。", "上次的事故"],
  ]),
  Japanese: six([
    ["検証サーバーのポートは8547です。", "ポートは8547"],
    ["請求書フォルダは絶対に触らないでください。", "絶対に触らない"],
    ["デモは6月3日です。", "6月3日"],
    ["コメントは短くしてください。", "コメントは短く"],
    ["承認は田中さんがします。", "田中さん"],
    ["監査のために端数は切り捨てます。", "端数は切り捨て"],
  ]),
  Korean: six([
    ["테스트 서버 포트는 8548입니다.", "포트는 8548"],
    ["청구서 폴더는 절대 지우지 마세요.", "절대 지우지"],
    ["데모는 6월 4일입니다.", "6월 4일"],
    ["주석은 한국어로 써 주세요.", "한국어로 써"],
    ["승인은 김민준 님이 합니다.", "김민준"],
    ["감사 때문에 반올림하지 않습니다.", "반올림하지"],
  ]),
  Russian: six([
    ["Тестовый сервер слушает порт 8549.", "порт 8549"],
    ["Никогда не трогай папку со счетами.", "папку со счетами"],
    ["Показ назначен на 7 июня.", "7 июня"],
    ["Мне нравятся короткие функции.", "короткие функции"],
    ["Согласует Анна Кузнецова.", "Анна Кузнецова"],
    ["Кэш выключен после аварии в мае.", "аварии в мае"],
  ]),
  Arabic: six([
    ["خادم الاختبار يعمل على المنفذ 8550.", "المنفذ 8550"],
    ["لا تحذف مجلد الفواتير أبدا.", "مجلد الفواتير"],
    ["العرض يوم 8 يونيو.", "8 يونيو"],
    ["أفضل الدوال القصيرة.", "الدوال القصيرة"],
    ["الموافقة من ليلى حداد.", "ليلى حداد"],
    ["أوقفنا الذاكرة المؤقتة بعد الحادث.", "بعد الحادث"],
  ]),
  Hindi: six([
    ["परीक्षण सर्वर का पोर्ट 8551 है।", "पोर्ट 8551"],
    ["चालान फ़ोल्डर को कभी मत बदलो।", "कभी मत बदलो"],
    ["डेमो 9 जून को है।", "9 जून"],
    ["मुझे छोटे फ़ंक्शन पसंद हैं।", "छोटे फ़ंक्शन"],
    ["मंज़ूरी प्रिया शर्मा देंगी।", "प्रिया शर्मा"],
    ["ऑडिट के कारण हम ऊपर नहीं काटते।", "ऑडिट के कारण"],
  ]),
};

/** A log as people paste it: lines full of numbers and paths, none of which anybody said. */
const pastedLog = (seed: number): string =>
  Array.from(
    { length: 60 },
    (_, at) =>
      `2026-11-2${at % 9} 10:${String(at).padStart(2, "0")}:07 ERROR src/pipeline/stage${at}.ts:${seed + at} Timeout after ${at * 37} ms in worker ${at % 7}`,
  ).join("\n");

/** The fact as it stands in a message. */
export function messageWith({ how, text }: Fact): string {
  if (how === "inside")
    return `Please look at how the parser reads its input and tell me what you would change first. ${text} Then write the plan down in a few lines so that we can talk about it, and leave the code as it is for now.`;
  if (how === "pasted") return `${pastedLog(text.length * 13)}\n\nThis is from last night. ${text}`;
  return text;
}

const FILLERS: Record<string, (at: number) => string> = {
  Chinese: at => `继续处理第 ${at} 个模块。`,
  German: at => `Mach mit Modul ${at} weiter.`,
};

const VERBS = ["look at", "rename", "split", "simplify", "test", "document", "speed up", "move", "review", "extract"];
const THINGS = [
  "the parser",
  "that helper",
  "the error path",
  "our queue",
  "the form",
  "its cache",
  "the router",
  "this class",
];
const WHYS = [
  "it is hard to read",
  "it fails now and then",
  "nobody understands it",
  "it grew too long",
  "I have to show it",
];

/** A request as people write it who explain much: a paragraph, other words each time, nothing to remember. */
export function explained(at: number): string {
  const sentence = (part: number) => {
    const pick = (all: readonly string[], by: number) => all[(at * by + part * 3) % all.length] ?? "";
    return `Then ${pick(VERBS, 7)} ${pick(THINGS, 5)} as well, since ${pick(WHYS, 3)}, and tell me what you found before going on to the next place.`;
  };
  return [`Now I would like you to go through part ${at} with me.`, ...[0, 1, 2, 3, 4].map(sentence)].join(" ");
}

/** The same, where each sentence names a file or a test: most requests of a real day do. */
export function named(at: number): string {
  const pick = (all: readonly string[], by: number, part: number) => all[(at * by + part * 3) % all.length] ?? "";
  const sentence = (part: number) =>
    `Then ${pick(VERBS, 7, part)} ${pick(THINGS, 5, part)} in src/${pick(THINGS, 3, part).split(" ").at(-1)}${at % 9}.ts, since ${pick(WHYS, 3, part)}, and run npm test.`;
  return [`Now go through part ${at} with me.`, ...[0, 1, 2, 3, 4].map(sentence)].join(" ");
}

const PLACES = ["Oslo", "Graz", "Leeds", "Porto", "Turku", "Basel", "Ghent", "Delft", "Bari", "Lodz", "Cork"];
const TRADES = ["invoices", "parcels", "leases", "tickets", "claims", "refunds", "rosters", "permits", "meters"];

/** A person who tells something to remember with each request. */
export function factful(at: number): string {
  const pick = (all: readonly string[], by: number) => all[Math.floor(at / by) % all.length] ?? "";
  const [place, trade] = [pick(PLACES, 1), pick(TRADES, 11)];
  const lines = [
    `${place}'s ${trade} arrive at ${trade}-${place.toLowerCase()}.corp.example:${7000 + at}.`,
    `Whatever concerns ${trade} there is signed by Ms. ${place}${String.fromCharCode(97 + (at % 26))}lund before the ${(at % 28) + 1}th.`,
    `Keep at most ${at * 37} ${trade} per run of bin/${place.toLowerCase()}_${trade}.`,
  ];
  return lines.join(" ");
}

/** What people say between facts: all day long the same, with another object. */
export function filler(at: number, language: string): string {
  const own = FILLERS[language]?.(at);
  if (own !== undefined) return own;
  const ways = [
    `Go on with module ${at}.`,
    `Now the same for src/module${at}/index.ts, please, and run its tests.`,
    `Good. Next one: module ${at}.`,
    `Why does test ${at} of the suite fail? Have a look and fix it.`,
  ];
  return ways[at % ways.length] ?? "Go on.";
}
