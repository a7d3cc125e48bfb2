/** What a connector is given. */
export type Connection = {
  readonly url: string;
  readonly apiKey: string;
  readonly invoice: string;
  readonly idempotencyKey: string;
  /** Between two looks at a document that is under way. */
  readonly pause: () => Promise<void>;
};

/** What a connector has seen: submit, follow, list, download, import, acknowledge, an error. */
export type Journey = {
  readonly submittedStatus: number;
  readonly docUid: string;
  readonly euid: string | null;
  readonly isListed: boolean;
  readonly downloaded: string;
  readonly inboundDocUid: string;
  readonly originalBytes: number;
  readonly ackedAt: string | null;
  readonly refusedCode: string | null;
};
