export type Clock = { readonly now: () => number };

export type Random = { readonly bytes: (count: number) => Uint8Array };

export type Hasher = { readonly sha256: (content: Uint8Array | string) => Uint8Array };
