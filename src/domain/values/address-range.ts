/** A single address is a range with the prefix of its whole length. */
export type AddressRange = { readonly address: string; readonly family: 'ipv4' | 'ipv6'; readonly prefix: number };

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/u;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/iu;
const IPV6_GROUPS = 8;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu;

/** Null when the text is no address and no CIDR range. A zone (`%eth0`) is refused: it names an interface, not an address. */
export function parseAddressRange(text: string): AddressRange | null {
  const [host = '', prefixText, ...rest] = text.split('/');
  const address = plainAddress(host);
  const family = familyOf(address);
  if (family === null || rest.length > 0) return null;
  const bits = family === 'ipv4' ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/u.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, family, prefix };
}

/** On a dual-stack socket, an IPv4 caller has an address like ::ffff:10.0.0.1, which lists name as 10.0.0.1. */
export function plainAddress(address: string): string {
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

/** Null when the text is no address. */
export function familyOf(address: string): AddressRange['family'] | null {
  if (IPV4.test(address)) return 'ipv4';
  return isIpv6(address) ? 'ipv6' : null;
}

function isIpv6(address: string): boolean {
  const [front = '', back, ...rest] = address.split('::');
  if (rest.length > 0) return false;
  const length = back === undefined ? lengthOf(front, true) : lengthOf(front, false) + lengthOf(back, true);
  // The two colons stand for one group at least.
  return back === undefined ? length === IPV6_GROUPS : length < IPV6_GROUPS;
}

/** The number of groups; not a number when one of them is none. The last may be an IPv4 address, which is two. */
function lengthOf(part: string, isLast: boolean): number {
  if (part === '') return 0;
  const groups = part.split(':');
  const isMixed = isLast && IPV4.test(groups.at(-1) ?? '');
  const areGroups = (isMixed ? groups.slice(0, -1) : groups).every((group) => IPV6_GROUP.test(group));
  return areGroups ? groups.length + (isMixed ? 1 : 0) : Number.NaN;
}
