const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/** What callers are told apart by: an IPv4 address, or the /64 of an IPv6 address, in which one caller has every address. */
export function callerNetwork(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = '', right] = address.split('%', 1)[0]?.toLowerCase().split('::', 2) ?? [];
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, GROUPS_OF_NETWORK);
  return `${groups.map((group) => group.replace(/^0+(?=.)/u, '')).join(':')}::/64`;
}
