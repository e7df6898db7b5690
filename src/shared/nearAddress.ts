/** Whether an address is one of this machine or its network. Pure: no name is looked up. */

/** "localhost:7801"; other text stays. */
export const hostOf = (address: string): string => (URL.canParse(address) && new URL(address).host) || address;

/** On this machine or in a network of one's own: addresses of those, and names that no public server has. */
export function isNear(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (name.includes(":")) return /^(?:::1$|f[cd]|fe[89ab])/.test(name);
  if (/^[\d.]+$/.test(name)) return /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(name);
  return !name.includes(".") || /\.(?:local|localhost|internal|lan|home\.arpa)$/.test(name);
}

/**
 * An address of this machine or its network, however it is written, or one of a cloud's own services. Names of a company's network are
 * not: who sends somebody there could as well use a public name for it. @param hostname as a URL has it
 */
export function leadsNear(hostname: string): boolean {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  // An address of version 4 within one of version 6; the one that stands for all of a machine's own; shared networks.
  if (name.includes(":")) return isNear(name) || /^(?:::$|::ffff:|64:ff9b:)/.test(name);
  if (/^[\d.]+$/.test(name)) return isNear(name) || /^(?:0\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(name);
  return !name.includes(".") || name.endsWith(".localhost") || name === "metadata.google.internal";
}
