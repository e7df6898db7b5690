/** Fields without `undefined`: one that may have no value is there with one, or not at all. */
type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The fields that have a value, in their order, which records' bytes and hashes hang on. Not where thousands are made in a step. */
export function defined<T extends object>(fields: T): DefinedFields<T> {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as DefinedFields<T>;
}

/** A list for `defined`: undefined where it is empty. */
export const some = <T extends readonly unknown[]>(list: T | undefined) => (list?.length ? list : undefined);

/** A function that works out each answer once. @param known keeps the answers */
export const remembered =
  <K, V>(
    make: (key: K) => V,
    known: { get(key: K): V | undefined; set(key: K, value: V): unknown } = new Map<K, V>(),
  ): ((key: K) => V) =>
  key => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
