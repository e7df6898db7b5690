/** What a mention that is being typed may become, as the composer and prompt documents list it. Pure. */
import { attachmentHint } from "../../shared/attachmentHints";
import { attachmentNames } from "../../shared/mentions/attachments";
import type { MentionItem } from "../../shared/mentions/panelProtocol";
import { type ListedResource, matchResources } from "./resources";

/** They stand before the files. */
const MAX_RESOURCES = 20;
/** Files that stand before attachments: where nothing is typed yet, and where a name has only been begun. */
const BEFORE_ALL = 7;
const BEFORE_BEGUN = 5;
/** Of so many letters on a word is meant rather than a file. */
const MEANT = 4;

interface Sources {
  /** of the workspace, best first */
  files: readonly MentionItem[];
  resources: readonly ListedResource[];
  /** stands before all other files */
  first?: MentionItem | undefined;
  /** in quotes a name is a file's */
  quoted?: boolean;
  /** Before anything is typed, there are no more files than leave the attachments in sight. */
  brief?: boolean;
}

/** Resources, then files, and among these the attachments whose name begins so. */
export function mentionItems(query: string, sources: Sources): MentionItem[] {
  const { files, resources, first, quoted = false, brief = false } = sources;
  const begun = quoted ? [] : attachmentNames.filter(name => name.startsWith(query.toLowerCase()));
  const positions = Array.from({ length: query.length }, (_, index) => index);
  const attached = begun.map((name): MentionItem => {
    return { kind: "attachment", mention: `@${name}`, label: name, positions, hint: attachmentHint(name) };
  });
  const before = query === "" ? BEFORE_ALL : query.length < MEANT ? BEFORE_BEGUN : 0;
  const others = files.filter(({ mention }) => mention !== first?.mention);
  const listed = first && query === "" ? [first, ...others] : others;
  return [
    ...matchResources(query, resources, MAX_RESOURCES),
    ...(first && query !== "" ? [first] : []),
    ...listed.slice(0, before),
    ...attached,
    ...(query === "" && brief ? [] : listed.slice(before)),
  ];
}
