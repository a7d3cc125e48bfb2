/** A single address is a range with the prefix of its whole length. */
export type AddressRange = { readonly address: string; readonly family: 'ipv4' | 'ipv6'; readonly prefix: number };

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/u;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/iu;
const IPV6_GROUPS = 8;
const IPV4_BITS = 32;
const IPV6_BITS = 128;
const OCTET_BITS = 8;
const OCTET = 0xff;
/** What stands before an IPv4 address in IPv6. */
const MAPPED_GROUPS = [0, 0, 0, 0, 0, 0xffff];
const MAPPED_BITS = IPV6_BITS - IPV4_BITS;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu;

/** Null when the text is no address and no CIDR range. A zone (`%eth0`) is refused: it names an interface, not an address. */
export function parseAddressRange(text: string): AddressRange | null {
  const [host = '', prefixText, ...rest] = text.split('/');
  const family = familyOf(host);
  if (family === null || rest.length > 0) return null;
  const bits = family === 'ipv4' ? IPV4_BITS : IPV6_BITS;
  if (prefixText !== undefined && !/^\d{1,3}$/u.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) return null;
  return mappedRange(host, family, prefix) ?? (MAPPED_IPV4.test(host) ? null : { address: host, family, prefix });
}

/** IPv4 written as IPv6, `::ffff:10.0.0.0/104` or `::ffff:a00:0/104`, is the range of IPv4; so is `::ffff:10.0.0.0/8`, as people write it. */
function mappedRange(host: string, family: AddressRange['family'], prefix: number): AddressRange | null {
  const parts = family === 'ipv6' ? partsOf(host, family) : [];
  const [high = 0, low = 0] = parts.slice(MAPPED_GROUPS.length);
  if (parts.length === 0 || MAPPED_GROUPS.some((group, index) => parts[index] !== group)) return null;
  const address = [high >>> OCTET_BITS, high & OCTET, low >>> OCTET_BITS, low & OCTET].join('.');
  if (prefix >= MAPPED_BITS) return { address, family: 'ipv4', prefix: prefix - MAPPED_BITS };
  return prefix <= IPV4_BITS && MAPPED_IPV4.test(host) ? { address, family: 'ipv4', prefix } : null;
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

/** The octets of an IPv4 address, or the groups of an IPv6 address. */
export function partsOf(address: string, family: AddressRange['family']): readonly number[] {
  if (family === 'ipv4') return address.split('.').map(Number);
  const [front = '', back] = address.split('::');
  const before = groupsOf(front);
  if (back === undefined) return before;
  const after = groupsOf(back);
  return [...before, ...Array.from({ length: IPV6_GROUPS - before.length - after.length }, () => 0), ...after];
}

/** The last group may be an IPv4 address, which is two. */
function groupsOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
