/**
 * How the payload of a document is served: as the text that was signed (the authority's published reference, §2.3, §2.4), as an
 * object instead of a text, as a text that holds only the inner `document` or the whole JWS; or not at all, for lack of the right
 * RD (§1.7).
 */
export const PAYLOAD_SHAPES = ['text', 'object', 'document', 'jws', 'refused'] as const;
export type PayloadShape = (typeof PAYLOAD_SHAPES)[number];

export type PayloadFaults = {
  readonly shapeOf: (euid: string) => PayloadShape;
  /** For one document, or for all that have no shape of their own. */
  readonly set: (euid: string | null, shape: PayloadShape) => void;
  readonly current: () => { readonly all: PayloadShape; readonly documents: Readonly<Record<string, PayloadShape>> };
};

export function createPayloadFaults(): PayloadFaults {
  let all: PayloadShape = 'text';
  const shapes = new Map<string, PayloadShape>();
  return {
    shapeOf: (euid) => shapes.get(euid) ?? all,
    set: (euid, shape) => {
      if (euid === null) {
        all = shape;
        shapes.clear();
      } else shapes.set(euid, shape);
    },
    current: () => ({ all, documents: Object.fromEntries(shapes) }),
  };
}
