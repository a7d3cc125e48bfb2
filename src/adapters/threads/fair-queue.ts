/** What waits for a thread, in turns: the owner with something waiting that was served longest ago comes next. */
export type FairQueue<Item> = {
  readonly push: (owner: string, item: Item) => void;
  /** Back to the head of its owner's queue, and the owner's turn is next. */
  readonly putBack: (owner: string, item: Item) => void;
  /** The first item that can be taken now, in the order of turns; undefined when there is none. */
  readonly take: (canTake: (item: Item) => boolean) => Item | undefined;
  readonly isEmpty: () => boolean;
};

/** Round robin over owners, each with its items in order of arrival: a hundred items of one delay another's only by one. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** Owners with something waiting, in the order of their turns; a map keeps the order in which keys were set. */
  const waiting = new Map<string, Item[]>();

  function append(owner: string, items: Item[]): void {
    waiting.delete(owner);
    if (items.length > 0) waiting.set(owner, items);
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
    take(canTake) {
      for (const [owner, items] of waiting) {
        const at = items.findIndex(canTake);
        if (at === -1) continue;
        const [item] = items.splice(at, 1);
        append(owner, items);
        return item;
      }
      return undefined;
    },
    isEmpty: () => waiting.size === 0,
  };
}
