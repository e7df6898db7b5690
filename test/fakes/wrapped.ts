/** The same object but for some of its members, whatever others it has or gets. */
export function wrapped<T extends object>(original: T, other: Partial<T>): T {
  return new Proxy(original, {
    get(target, key) {
      if (key in other) return Reflect.get(other, key);
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
