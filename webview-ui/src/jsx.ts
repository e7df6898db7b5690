/**
 * The panel's JSX is React's, but for one thing: texts that an element shows come out with control characters and turns of
 * direction as visible signs. They come from models, servers, files and commands; here none can be forgotten. Only a component
 * that gives back a string, not an element, would get past it.
 */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";
import { signedText } from "../../src/shared/shown";

type Create = typeof reactJsx;

const jsx: Create = (type, props, key) => reactJsx(type, shown(props), key);
const jsxs: Create = (type, props, key) => reactJsxs(type, shown(props), key);

export { Fragment, jsx, jsxs };

/** What people read of an element beside what stands in it. */
const attributes = ["title", "aria-label", "placeholder"] as const;

function shown(given: unknown): unknown {
  const props = given as Record<string, unknown>;
  let changed = props;
  for (const name of ["children", ...attributes]) {
    const value = clean(props[name]);
    if (value !== props[name]) changed = { ...changed, [name]: value };
  }
  return changed;
}

/** What has nothing to change is given back as it is. */
function clean(value: unknown): unknown {
  if (typeof value === "string") return signedText(value);
  if (!Array.isArray(value)) return value;
  const cleaned = value.map(clean);
  return cleaned.some((each, at) => each !== value[at]) ? cleaned : value;
}
