/** Whether an address is one of this machine or its network. Pure: no name is looked up. */

/** On this machine or in a network of one's own: addresses of those, and names that no public server has. */
export function isNear(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (name.includes(":")) return /^(?:::1$|f[cd]|fe[89ab])/.test(name);
  if (/^[\d.]+$/.test(name)) return /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(name);
  return !name.includes(".") || /\.(?:local|localhost|internal|lan|home\.arpa)$/.test(name);
}

/** As `isNear`, and what leads there by another way of writing, or to a cloud's own services. @param hostname as a URL has it */
export function mayBeNear(hostname: string): boolean {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  // An address of version 4 within one of version 6; the one that stands for all of a machine's own; shared networks.
  if (name.includes(":")) return isNear(name) || /^(?:::$|::ffff:|64:ff9b:)/.test(name);
  return isNear(name) || /^(?:0\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(name);
}
