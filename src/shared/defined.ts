/** Fields without `undefined`: one that may have no value is there with one, or not at all. */
type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value, in their order, which records' bytes and hashes hang on. Not where thousands are made in a step. */
export function defined<T extends object>(fields: T): DefinedFields<T> {
  const found: DefinedFields<T> = {};
  for (const name in fields)
    if (fields[name] !== undefined) found[name] = fields[name] as DefinedFields<T>[typeof name];
  return found;
}

/** A list for `defined`: undefined where it is empty. */
export const some = <T extends readonly unknown[]>(list: T | undefined) => (list?.length ? list : undefined);
