import { type AddressRange, parseAddressRange, partsOf } from '../domain/values/address-range.ts';

/** Ranges that no caller of the public internet has. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]
  .map(parseAddressRange)
  .filter((range) => range !== null);
const IPV4_AS_IPV6: AddressRange = { address: '::ffff:0:0', family: 'ipv6', prefix: 96 };
/** As large as the largest network that one owner has had of IPv4; nobody has so much of IPv6. */
const LARGEST_SHARE = 1 / 256;

/** Whether the ranges have so many public addresses that callers are among those who are trusted as proxies. */
export function trustsStrangers(list: readonly string[]): boolean {
  const ranges = list.map(parseAddressRange).filter((range) => range !== null);
  if (ranges.some(hasAllOfIpv4)) return true;
  return (['ipv4', 'ipv6'] as const).some((family) => {
    const shares = ranges
      .filter((range) => range.family === family && !PRIVATE.some((known) => isWithin(range, known)))
      .map(({ prefix }) => 2 ** -prefix);
    return shares.reduce((sum, share) => sum + share, 0) > LARGEST_SHARE;
  });
}

/** `::/80` has all of IPv4 in it, which is `::ffff:0:0/96` among the addresses of IPv6. */
function hasAllOfIpv4(range: AddressRange): boolean {
  return range.family === 'ipv6' && isWithin(IPV4_AS_IPV6, range);
}

function isWithin(range: AddressRange, outer: AddressRange): boolean {
  return (
    range.family === outer.family &&
    range.prefix >= outer.prefix &&
    firstBits(range, outer.prefix) === firstBits(outer, outer.prefix)
  );
}

function firstBits({ address, family }: AddressRange, count: number): string {
  const width = family === 'ipv4' ? 8 : 16;
  const bits = partsOf(address, family).map((part) => part.toString(2).padStart(width, '0'));
  return bits.join('').slice(0, count);
}
