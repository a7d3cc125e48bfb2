export const ORDINARY_USER = 65_534;

/** Root is kept from nothing. Nothing else of the process may run meanwhile, so the work waits for nothing. */
export function asOrdinaryUser(work: () => unknown): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(ORDINARY_USER);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
