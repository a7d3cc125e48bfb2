/** What the module of a thread posts once, before its first answer. */
export const READY = 'ready';
