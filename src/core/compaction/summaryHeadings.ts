/** Which part of a summary a heading or a label opens, in the words and languages that models write them in. Data. */

/** The parts of a summary that a model writes. */
export const partNames = [
  "objectives",
  "stack",
  "milestones",
  "decisions",
  "learnings",
  "preferences",
  "files",
] as const;
export type PartName = (typeof partNames)[number];

/** Items of each part, without list marks; an item may have several lines. */
export type Parts = Record<PartName, string[]>;

export const emptyParts = (): Parts => ({
  objectives: [],
  stack: [],
  milestones: [],
  decisions: [],
  learnings: [],
  preferences: [],
  files: [],
});

/** title: of the whole text; code: a label whose content code writes. */
export type Opens = PartName | "title" | "code";

const EMOJI: readonly (readonly [RegExp, Opens])[] = [
  [/📌/u, "title"],
  [/🎯/u, "objectives"],
  [/🏗/u, "stack"],
  [/✅|☑/u, "milestones"],
  [/🧠/u, "learnings"],
  [/📂|📁|🗂/u, "files"],
];

const LABELS: readonly (readonly [RegExp, Opens])[] = [
  [
    /original goal|原始目标|原始目標|最初目标|最初目標|ursprüngliches ziel|objectif initial|objetivo original|当初の目標/i,
    "code",
  ],
  [/\bpreferences?\b|偏好|习惯|習慣|vorlieben|präferenz|préférences?|preferencias?|предпочт|好み/i, "preferences"],
  [/\bdecisions?\b|决策|決策|决定|決定|entscheidung|décisions?|decisiones|решени/i, "decisions"],
  [
    /\blearnings?\b|\blessons?\b|\blearned\b|经验|經驗|教训|教訓|学到|發現|发现|gelernt|erkenntnis|apprentissages?|aprendizajes?|вывод|学び/i,
    "learnings",
  ],
  [/\b(?:tech(?:nology|nical)? )?stack\b|技术栈|技術棧|技術堆疊|технологии|技術スタック/i, "stack"],
  [/^environment|^环境|^環境|^umgebung|^environnement|^entorno|^окружение/i, "stack"],
  [/^objectives?$|^目标$|^目標$|^ziele?$|^objectifs?$|^objetivos?$|^цел[иь]$/i, "objectives"],
];

const SECTIONS: readonly (readonly [RegExp, Opens])[] = [
  [/archived session|session summary|会话摘要|會話摘要|归档摘要/i, "title"],
  [/insights?\b|persistent memory|洞察|见解|見解|记忆|記憶|要点|要點|einsichten|aperçus/i, "learnings"],
  [
    /\bmilestones?\b|\bcompleted\b|\baccomplish|\bdone\b|里程碑|完成|meilenstein|erledigt|jalons?\b|terminé|hitos?\b|completad|выполнен|マイルストーン/i,
    "milestones",
  ],
  [/\bobjectives?\b|\bgoals?\b|目标|目標|目的|\bziele?\b|objectifs?\b|objetivos?\b|цел[иь]/i, "objectives"],
  [/\bfiles?\b|文件|檔案|ファイル|datei|fichiers?\b|archivos?\b|файл/i, "files"],
  [/\btechnical\b|\bcontext\b|技术|技術|背景|technisch|techniques?\b|técnic|техни|kontext/i, "stack"],
];

/** undefined: nobody knows; its place among the others may tell. */
export function headingOpens(heading: string): Opens | undefined {
  const text = heading.replace(/[*_`#:：]+/g, " ").trim();
  const emoji = find(EMOJI, text);
  if (emoji) return emoji;
  // "Key Insights & Decisions" is the section, "Decisions" a label that became a heading.
  return find(SECTIONS.slice(0, 2), text) ?? find(LABELS, text) ?? find(SECTIONS, text);
}

export const labelOpens = (label: string): Opens | undefined => find(LABELS, label.trim());

/** A line without any mark that is nothing but a heading's words. */
export function isBareHeading(line: string): boolean {
  const text = line
    .replace(/\p{Extended_Pictographic}|\uFE0F|[*_]/gu, "")
    .replace(/[:：]\s*$/, "")
    .trim();
  return BARE.test(text);
}

const BARE =
  /^(?:(?:original )?objectives?(?: (?:&|and) status)?|technical context(?: \(static\))?|completed milestones?(?: \(.*\))?|key insights(?: (?:&|and) decisions)?(?: \(.*\))?|file system state(?: \(snapshot\))?|decisions|learnings|user preferences|stack)$/i;

/** The five sections of the template, for headings in a language that nobody knows. */
export const sectionOrder: readonly PartName[] = ["objectives", "stack", "milestones", "learnings", "files"];

/** Labels of a section in their order, where they are in such a language too. */
export const labelOrder: Readonly<Partial<Record<PartName, readonly PartName[]>>> = {
  learnings: ["decisions", "learnings", "preferences"],
};

const find = (table: readonly (readonly [RegExp, Opens])[], text: string) =>
  table.find(([words]) => words.test(text))?.[1];
