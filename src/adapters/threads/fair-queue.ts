/** What waits for its turn: the owner with something waiting that was served longest ago comes next. */
export type FairQueue<Item> = {
  readonly push: (owner: string, item: Item) => void;
  /** Back to the head of its owner's queue, and the owner's turn is next. */
  readonly putBack: (owner: string, item: Item) => void;
  readonly remove: (owner: string, item: Item) => void;
  /** The item that `take` would take. */
  readonly next: (canTake?: (item: Item) => boolean) => Item | undefined;
  /** Takes the first item that can be taken now, in the order of turns; an owner that is passed over keeps its turn. */
  readonly take: (canTake?: (item: Item) => boolean) => Item | undefined;
  readonly isEmpty: () => boolean;
};

const ANY = () => true;

/** Round robin over owners, each with its items in order of arrival: a hundred items of one delay another's only by one. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** Owners with something waiting, in the order of their turns; a map keeps the order in which keys were set. */
  const waiting = new Map<string, Item[]>();

  function find(canTake: (item: Item) => boolean) {
    for (const [owner, items] of waiting) {
      const [item] = items;
      if (item !== undefined && canTake(item)) return { owner, item, items };
    }
    return null;
  }

  return {
    push(owner, item) {
      const items = waiting.get(owner);
      if (items === undefined) waiting.set(owner, [item]);
      else items.push(item);
    },
    putBack(owner, item) {
      const others = [...waiting].filter(([one]) => one !== owner);
      const items = [item, ...(waiting.get(owner) ?? [])];
      waiting.clear();
      waiting.set(owner, items);
      for (const [one, theirs] of others) waiting.set(one, theirs);
    },
    remove(owner, item) {
      const others = (waiting.get(owner) ?? []).filter((one) => one !== item);
      if (others.length === 0) waiting.delete(owner);
      else waiting.set(owner, others);
    },
    next: (canTake = ANY) => find(canTake)?.item,
    take(canTake = ANY) {
      const found = find(canTake);
      if (found === null) return undefined;
      const { owner, item, items } = found;
      items.shift();
      waiting.delete(owner);
      if (items.length > 0) waiting.set(owner, items);
      return item;
    },
    isEmpty: () => waiting.size === 0,
  };
}
