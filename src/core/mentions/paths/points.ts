/** What the parts of a match count. Only their proportions matter. */
export const points = {
  /** a character by the `Mark` of its place: in a word, at a hump, after a separator, after `/`, first of the name */
  mark: [0, 80, 80, 76, 100],
  /** right after the one before */
  follows: 68,
  inName: 24,
  /** a capital letter typed as one */
  sameCase: 12,
  /** anything passed over between two, and each character of it beyond the first */
  gap: 36,
  gapCharacter: 2,
  /** the name begins with what was typed; is it but for its ending; is it */
  prefix: 40,
  stem: 100,
  name: 130,
  /** each character of the name that was not typed, and the most they cost */
  unmatched: 3,
  unmatchedMost: 90,
  /** each folder above, and each character of their names */
  folder: 6,
  folderCharacter: 1,
  folderMost: 120,
  isFolder: 60,
  /** open in an editor; among the last used: the newest, less for each that is newer */
  open: 60,
  recent: 60,
  recentLess: 4,
  /** by steps up and down the tree from the current file's folder */
  near: [80, 56, 38, 26, 18, 12, 8, 5, 3, 2],
} as const;

const [, hump, afterSeparator, afterSlash, nameStart] = points.mark;

/** The most that a place counts by its mark: where any word begins, where the name does. */
export const mostOfMark = { head: Math.max(hump, afterSeparator, afterSlash), initial: nameStart } as const;

/** What the first typed character counts at a place whose mark counts so much. */
export const firstCounts = (mark: number): number => mark + (mark >> 1);

/** What any other one counts there, right after the one before or with something passed over. */
export const otherCounts = (mark: number, follows: boolean): number =>
  follows ? Math.max(mark, points.follows) : mark - points.gap;
