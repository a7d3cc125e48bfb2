/** A process of the service, as it says of itself. */
export type ServiceProcess = {
  readonly id: string;
  readonly role: string;
  readonly version: string;
  readonly host: string;
  readonly startedAt: number;
  readonly seenAt: number;
};

export type ProcessStore = {
  readonly save: (process: ServiceProcess) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** The newest first. */
  readonly list: () => Promise<readonly ServiceProcess[]>;
  /** Those that were last seen before, because they died without a word. */
  readonly forgetBefore: (seenAt: number) => Promise<void>;
};
