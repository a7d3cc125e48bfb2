/** The last lines of the log that report an error or a warning, for the console. */
export type RecentErrors = {
  readonly add: (line: string) => void;
  /** The newest first. */
  readonly lines: () => readonly string[];
};

const MOST_LINES = 50;
const MOST_CHARACTERS = 2_000;
const TROUBLE = /^\{"level":"(?:warn|error|fatal)"/u;

export function createRecentErrors(): RecentErrors {
  const kept: string[] = [];
  return {
    add(line) {
      if (!TROUBLE.test(line)) return;
      kept.unshift(line.slice(0, MOST_CHARACTERS));
      if (kept.length > MOST_LINES) kept.pop();
    },
    lines: () => kept,
  };
}
