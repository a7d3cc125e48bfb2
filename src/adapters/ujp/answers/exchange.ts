export type HttpAnswer = { readonly status: number; readonly contentType: string | null; readonly bytes: Uint8Array };

/** What the meaning of an error code depends on. */
export type ServiceTraits = {
  /** The same code does not mean the same in both programs. */
  readonly api: 'query' | 'receiver';
  /** Whether a missing right (E1011) concerns this one download and not the account. */
  readonly isDownload: boolean;
};

/** An HTTP answer of the authority, with the service and the place that gave it. */
export type Exchange = HttpAnswer & {
  readonly service: ServiceTraits;
  /** Host and path, for messages. */
  readonly place: string;
};
