/** The currency of North Macedonia. */
export const DENAR = 'MKD';
