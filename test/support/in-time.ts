const MOST_TRIES = 5;

/**
 * For what must be done before a limit of a program in another process, which goes on while this one stands still. What fails after
 * that time says nothing of the program and is tried again; what fails within it has failed. The time begins with the work, or
 * where that says so.
 */
export async function inTime<Result>(
  limitMs: number,
  work: (beginsHere: () => void) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    let since = performance.now();
    const beginsHere = () => {
      since = performance.now();
    };
    try {
      return await work(beginsHere);
    } catch (error) {
      if (tries === MOST_TRIES || performance.now() - since < limitMs) throw error;
    }
  }
}
