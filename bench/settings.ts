/** How long and how much is measured. */
export type Settings = {
  readonly mode: 'quick' | 'full' | 'large';
  readonly warmMs: number;
  readonly measureMs: number;
  /** Of the smaller lists, and of the larger ones; null where there are none. */
  readonly few: number;
  readonly many: number | null;
  /** Documents that are delivered. */
  readonly deliveries: number;
  /** Documents of 10 MiB that 32 clients send together. */
  readonly largeDocuments: number;
  /** Of the process. */
  readonly starts: number;
};

const FULL: Settings = {
  mode: 'full',
  warmMs: 2_000,
  measureMs: 6_000,
  few: 10_000,
  many: 1_000_000,
  // About a minute's work, so that the first seconds, in which everything is new, do not make the figure.
  deliveries: 9_000,
  largeDocuments: 96,
  starts: 7,
};

export const SETTINGS: Readonly<Record<Settings['mode'], Settings>> = {
  quick: {
    mode: 'quick',
    warmMs: 100,
    measureMs: 300,
    few: 10_000,
    many: null,
    deliveries: 200,
    largeDocuments: 32,
    starts: 3,
  },
  full: FULL,
  large: { ...FULL, mode: 'large', many: 10_000_000 },
};
