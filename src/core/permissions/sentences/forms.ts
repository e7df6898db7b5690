/**
 * The forms of sentences that forbid, ask first or demand a command, in English and Chinese. A wrong proposal is worse than a missed
 * one: a sentence with any word that these forms do not have stays guidance. Texts have at most 400 characters.
 */
import { actionRules, inEnglish } from "./actions";

/** What a sentence amounts to: entries of settings, each with one of these. */
export interface BoundAs {
  deny?: string;
  ask?: string;
  check?: string;
}

const NEVER =
  "(?:must never|should never|may never|must not|may not|shall not|mustn[’']t|never ever|never|do not ever|do not|don[’']t ever|don[’']t|under no circumstances)";
const LEAD =
  "^(?:(?:please|important|critical|warning|note|strictly|absolutely|also|and|you|agents?|the agent|ai agents?|claude|codex|copilot|must|should|always|make sure to|be sure to)[,!]?\\s+)*";
const NEVER_ZH = "^(?:绝对|一律|你|智能体|也|务必)*(?:禁止|严禁|请不要|不要|请勿|切勿|不得|绝不|不准|不许)";
const ASKING =
  "(?:(?:first|explicit|explicitly|prior|specific|specifically|clear|user|human|my|your|the|user[’']s|maintainer|being|getting|having|obtaining|receiving|you|you[’']re|are|been|me|i|we|a|an|has|have|is|for)\\s+)*(?:ask|asked|asking|asks|permission|approval|approved|approves?|confirm|confirming|confirms|confirmed|confirmation|consent|instructed|instructs?|instructions?|told|tells?|request|requested|requests|says?|authorization)\\b(?:\\s+(?:first|to|do|so|me|the|user|for|it|by|from|a|human|maintainer|explicitly|you|otherwise|beforehand|this|that|permission|approval))*[)]?[.!]*$";
const MOMENT =
  "(?:before\\s+(?:(?:you|each|every|any|a|the|your)\\s+)*(?:finish|complet|commit|submit|submission|push|conclud|open|creat|mark|consider|declar|end|pr\\b|pull)\\w*(?:\\s+(?:a|an|the|any|each|every|your|you|are|is|work|task|tasks|it|as|done|complete|completed|finished|off|up|code|changes?|pr|prs|pull|requests?|or|and|commit\\w*|push\\w*)\\b)*|after\\s+(?:(?:each|every|any|all|making|you|make|your|code|the|a|editing|edits?|changing|changes?|modifying|modifications?|finishing|completing|tasks?|work|file)\\b\\s*)+|at the end(?: of (?:the|each|every|your|a) (?:task|turn|work|session|change))?|(?:when|once|whenever) (?:you(?:[’']re| are) )?(?:done|finished)|when (?:the|your) (?:task|work) is (?:done|complete|finished))";
const MOMENT_ZH =
  "(?:在|每次|所有|任务|代码|工作|结束)*(?:完成|提交|结束|推送|修改|改动|更改|编辑)(?:任务|代码|工作|任何|文件|改动|更改|修改|变更)*(?:之前|以前|前|之后|以后|后)";
const CODE = "`[^`]{1,200}`";
const COMMANDS = `(?<cmds>${CODE}(?:(?:\\s*,\\s*(?:and\\s+|then\\s+)*|\\s+(?:and(?: then)?|then)\\s+|\\s*(?:、|和|及|与|以及|，)\\s*)${CODE})*)`;
const RUN = "(?:run|execute|make sure|ensure|verify|check)(?:\\s+(?:that|the|both|all))*\\s+";
/** Behind a command: that it has to pass, and what for. */
const PASSES =
  "(?:\\s*,?\\s*(?:passes|pass|succeeds|(?:and )?(?:make sure|ensure|verify|confirm|check|fix)\\b[^`,;]{0,80}|to (?:make sure|ensure|verify|check|confirm|catch)\\b[^`,;]{0,80}|successfully|locally))?";

const form = (source: string) => new RegExp(source, "iu");
export const startsNever = form(`${LEAD}${NEVER}\\b|${NEVER_ZH}`);
export const neverHead = form(
  `^(?:${NEVER}(?: do| ever)?(?:\\s+(?:manually |directly )?(?:edit|modify|change|touch|run|use|execute|read))?(?: (?:any of )?(?:the following|these)(?: (?:files|folders|directories|paths|commands))?)?|forbidden|prohibited|(?:禁止|不要|严禁)(?:事项)?)$`,
);
export const askHead = form(
  "^(?:always )?ask (?:(?:me|the user|for permission|for approval) )?(?:first|before(?: you| doing)?)(?: before)?$",
);
export const momentHead = form(`^(?:${MOMENT}|${MOMENT_ZH})$`);

const forbids = [form(`${LEAD}${NEVER}\\s+(?<act>.+)$`), form(`${NEVER_ZH}\\s*(?<act>.+)$`)];
const unlessAsked = [
  form(`^(?<act>.+?)[,(]?\\s+(?:without|unless)\\s+${ASKING}`),
  /^(?<act>.+?)[，,]?\s*除非(?:我|用户|有)?(?:明确|人工)?的?(?:要求|同意|允许|许可|指示|批准|授权)[。!！]?$/u,
];
const asks = [
  form(
    `${LEAD}(?:ask|check with|confirm with|consult|get|obtain|request|seek)(?:\\s+(?:me|us|the|user|a|human|maintainers?|for|first|explicitly|explicit|prior|my|permission|approval|confirmation|consent|from))*\\s+before\\s+(?:you\\s+)?(?<act>.+)$`,
  ),
  form(`${LEAD}only\\s+(?<act>.+?)\\s+(?:when|if|after|with)\\s+${ASKING}`),
  form(`${LEAD}(?<act>.+?)\\s+only\\s+(?:when|if|after|with)\\s+${ASKING}`),
  form(`${LEAD}(?<act>.+?)\\s+(?:requires?|needs?)\\s+${ASKING}`),
  form(
    `${LEAD}before\\s+(?:you\\s+)?(?<act>[^,]+),\\s*(?:always\\s+|please\\s+)*(?:get\\s+|obtain\\s+|request\\s+)?${ASKING}`,
  ),
  /^(?:未经|没有)(?:我|用户|人工)?的?(?:明确)?(?:同意|允许|许可|确认|批准|授权)[，,]?\s*(?:禁止|不得|不要|请勿|严禁|不准|不许|切勿)\s*(?<act>.+)$/u,
  /^在?(?<act>.+?)(?:之前|以前|前)[，,]?\s*(?:请|必须|需要|需|应该|应|务必|要|都)*(?:先(?:询问|征求|征得|获得|取得|得到|经过|问|与|向)|征得|获得|取得|询问)(?:我|用户|的|明确|同意|许可|确认|批准|意见)*[。!！]?$/u,
];
const checks = [
  form(`${LEAD}${RUN}${COMMANDS}${PASSES}\\s+${MOMENT}${PASSES}[.!]*$`),
  form(
    `${LEAD}${MOMENT}\\s*[,:]?\\s*(?:(?:you|must|please|always|make sure to|be sure to|should)\\s+)*${RUN}${COMMANDS}${PASSES}[.!]*$`,
  ),
  form(`${LEAD}${COMMANDS}\\s+must\\s+(?:pass|succeed)\\s+${MOMENT}[.!]*$`),
  form(
    `^${MOMENT_ZH}\\s*[，,:：]?\\s*(?:请|必须|务必|需要|需|应该|应|要|先|都|均)*(?:运行|执行|跑|通过)\\s*${COMMANDS}\\s*(?:[，,]?(?:并|且)?(?:确保|保证)?(?:全部|都|其)*通过)?[。!！]?$`,
  ),
];
const demands = form(`^(?:please |you |must |always )*(?:always|must)\\s+(?<act>.+)$`);

const actOf = (forms: readonly RegExp[], text: string): string | undefined => {
  for (const each of forms) {
    const act = each.exec(text)?.groups?.act;
    if (act !== undefined) return inEnglish(act);
  }
  return undefined;
};

/** undefined: it has no form, or says more than the form does. */
export function boundAs(read: string): BoundAs[] | undefined {
  const commands = checks.map(each => each.exec(read)?.groups?.cmds).find(found => found !== undefined);
  if (commands !== undefined) return checkCommands(commands);
  const forbidden = actOf(forbids, read);
  const asked = forbidden === undefined ? actOf(asks, read) : actOf(unlessAsked, forbidden);
  const rules = ruled(asked ?? forbidden);
  return rules?.map(rule =>
    asked === undefined && !rule.startsWith("Bash(?") ? { deny: rule } : { ask: rule.replace("(?", "(") },
  );
}

/** The rules that would hold what a sentence tells to do: what forbids it, disagrees. */
export const demanded = (read: string): string[] => {
  const always = demands.exec(read)?.groups?.act;
  const found = actionRules(inEnglish(always ?? read));
  return found && (always !== undefined || isWhole(found.rest)) ? found.rules : [];
};

/** Commands as they are run; with a gap to be filled, or one that does not end, none. */
function checkCommands(text: string): BoundAs[] | undefined {
  const all = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
  const isRun = (command: string) =>
    /^[a-z.][\w./-]*(?:\s|$)/.test(command) &&
    (/\s/.test(command) || actionRules(`run \`${command}\``) !== undefined) &&
    !/^(?:git|gh)\s|[<>{}$]|\.\.\.|…|path\/to|\b(?:dev|watch|serve|start)\b/.test(command);
  return all.every(isRun) ? all.map(check => ({ check })) : undefined;
}

/** Of one or several things, all that is said of them. */
function ruled(act: string | undefined): string[] | undefined {
  if (act === undefined) return undefined;
  const found = actionRules(act);
  if (found === undefined) return undefined;
  if (isWhole(found.rest)) return found.rules;
  const [, more] = /^\s*(?:,\s*(?:or|and|nor)?|or|and|nor|、|或|和)\s+(.+)$/su.exec(found.rest) ?? [];
  const others = more === undefined ? undefined : ruled(more);
  if (others) return [...found.rules, ...others];
  // Of "a or b" the part that is known holds by itself.
  const isApart = more !== undefined && /^\s*,?\s*or\s/.test(found.rest) && !LIMITS.test(more) && !WHEN.test(more);
  return isApart ? found.rules : undefined;
}

const TAIL =
  /^(?:\s*(?:directly|yourself|by hand|manually|automatically|ever|at all|again|please|for any reason|under any circumstances?|on your own|instead|直接|手动|操作)(?![\w-]))*/i;
const LIMITS =
  /\b(?:unless|except|until|but|without|only|other than|besides|apart from|outside|exceptions?)\b|除非|例外|只有|但/i;
const WHEN = /\b(?:if|when|whenever|while|or|for|in|on|during|as)\b|如果|当|时/i;

const INSTEAD =
  /^(?:always|use|open|create|run|edit|change|instead|the|that|ci|written|generated|而是|请|改)(?![\w-])/i;

/** Nothing follows but a reason, or what to do instead. */
function isWhole(rest: string): boolean {
  const behind = rest.replace(TAIL, "");
  if (/^[\s.!。！)]*$/.test(behind)) return true;
  const [, why = ""] =
    /^\s*(?:[,;:—–(，：（-]+\s*)(.+)$|^\s*(?=because\b|since\b|因为)(.+)$/su.exec(behind)?.filter(Boolean) ?? [];
  if (why === "" || LIMITS.test(why)) return false;
  return /^(?:because|since|as|it|they|these|this|因为|它)/i.test(why) || (INSTEAD.test(why) && !WHEN.test(why));
}
