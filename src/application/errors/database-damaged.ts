/** The engine cannot read something that it wrote itself: a page of the database is damaged. Others may still be read. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged';
}

/** Null where the way to it is damaged. */
export async function unlessDamaged<Result>(work: Promise<Result>): Promise<Result | null> {
  return work.catch((error: unknown) => {
    if (error instanceof DatabaseDamaged) return null;
    throw error;
  });
}
