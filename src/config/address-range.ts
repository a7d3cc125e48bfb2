import { BlockList, isIP } from 'node:net';

/** Whether the text is an address or a CIDR range, IPv4 or IPv6. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return /^\d+$/u.test(prefix);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
