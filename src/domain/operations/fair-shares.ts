/** Parts of a limited amount, such as bytes of memory, by those who use them. */
export type FairShares<Owner> = {
  readonly fits: (owner: Owner, more: number) => boolean;
  /** More than none is added, less is given back. */
  readonly change: (owner: Owner, by: number) => void;
  readonly of: (owner: Owner) => number;
  readonly used: () => number;
};

/**
 * An owner may have as much as it leaves free: alone half of the amount, later ones half of what the others have left. So it is never used up,
 * neither by one nor by many, and whoever needs little still finds room.
 */
export function createFairShares<Owner>(total: number): FairShares<Owner> {
  const usedBy = new Map<Owner, number>();
  let used = 0;
  const of = (owner: Owner) => usedBy.get(owner) ?? 0;
  return {
    fits: (owner, more) => of(owner) + more <= total - used - more,
    change(owner, by) {
      const own = of(owner) + by;
      used += by;
      if (own === 0) usedBy.delete(owner);
      else usedBy.set(owner, own);
    },
    of,
    used: () => used,
  };
}
