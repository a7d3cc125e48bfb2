import { BlockList } from 'node:net';
import type { AddressList } from '../../application/ports/access.ts';
import { familyOf, parseAddressRange, plainAddress } from '../../domain/values/address-range.ts';
import { createBoundedMap } from '../platform/bounded-map.ts';

/** Far more than there are lists; bounds the cache when lists keep changing. */
const MAX_CACHED_LISTS = 1_000;

/** Matches addresses against lists of single addresses and CIDR ranges, IPv4 and IPv6. */
export function createAddressList(): AddressList {
  const compiled = createBoundedMap<string, BlockList>(MAX_CACHED_LISTS);

  function compile(list: readonly string[]): BlockList {
    const key = list.join();
    const cached = compiled.get(key);
    if (cached !== undefined) return cached;
    const blocks = new BlockList();
    for (const text of list) {
      const range = parseAddressRange(text);
      if (range !== null) blocks.addSubnet(range.address, range.prefix, range.family);
    }
    compiled.set(key, blocks);
    return blocks;
  }

  return {
    includes(list, address) {
      const plain = plainAddress(address);
      const family = familyOf(plain);
      return family !== null && compile(list).check(plain, family);
    },
  };
}
