import { BlockList, isIP } from 'node:net';
import type { AddressList } from '../../application/ports/access.ts';
import { createBoundedMap } from '../platform/bounded-map.ts';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu;
/** Far more than there are lists; bounds the cache when lists keep changing. */
const MAX_CACHED_LISTS = 1_000;

type Entry = { readonly address: string; readonly family: 'ipv4' | 'ipv6'; readonly prefix: number };

/** Matches addresses against lists of single addresses and CIDR ranges, IPv4 and IPv6. */
export function createAddressList(): AddressList {
  const compiled = createBoundedMap<string, BlockList>(MAX_CACHED_LISTS);

  function compile(list: readonly string[]): BlockList {
    const key = list.join();
    const cached = compiled.get(key);
    if (cached !== undefined) return cached;
    const blocks = new BlockList();
    for (const text of list) {
      const entry = parseEntry(text);
      if (entry !== null) blocks.addSubnet(entry.address, entry.prefix, entry.family);
    }
    compiled.set(key, blocks);
    return blocks;
  }

  return {
    includes(list, address) {
      const plain = plainAddress(address);
      return isIP(plain) !== 0 && compile(list).check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
    },
    isValidEntry: (text) => parseEntry(text) !== null,
  };
}

/** On a dual-stack socket, an IPv4 caller has an address like ::ffff:10.0.0.1, which lists name as 10.0.0.1. */
export function plainAddress(address: string): string {
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

function parseEntry(text: string): Entry | null {
  const [host = '', prefixText, ...rest] = text.split('/');
  const address = plainAddress(host);
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return null;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/u.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}
