import type { Usage } from '../processes/usage.ts';

export type TimedStart = { readonly ms: number; readonly usage: Usage | null };
