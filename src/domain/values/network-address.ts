import { type AddressRange, parseAddressRange, partsOf } from './address-range.ts';

const IPV6_GROUPS = 8;
const GROUP_BITS = 16;
const OCTET_BITS = 8;

/** The range with the address that it begins with: of 10.1.2.3/8 that is 10.0.0.0/8. */
export function wholeRange({ address, family, prefix }: AddressRange): string {
  const bits = family === 'ipv4' ? OCTET_BITS : GROUP_BITS;
  const parts = partsOf(address, family).map((part, index) => {
    const free = bits - Math.min(bits, Math.max(0, prefix - index * bits));
    return (part >>> free) << free;
  });
  if (family === 'ipv4') return `${parts.join('.')}/${prefix}`;
  // What is behind the prefix is zero; there the two colons stand for all of it.
  const last = parts.findLastIndex((part) => part !== 0);
  const groups = parts.slice(0, last + 1).map((part) => part.toString(16));
  return `${groups.join(':')}${groups.length < IPV6_GROUPS ? '::' : ''}/${prefix}`;
}

/** Whether the address of a range is not the one it begins with, so that it means more than it says. */
export function saysTooMuch(range: AddressRange): boolean {
  const whole = parseAddressRange(wholeRange(range));
  return whole === null || partsOf(whole.address, whole.family).join() !== partsOf(range.address, range.family).join();
}
