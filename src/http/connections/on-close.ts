/** An answer or a connection. */
type Closable = { readonly closed: boolean; readonly once: (event: 'close', callback: () => void) => unknown };

/** Calls back when it is closed; at once where it is: `close` comes once, and nobody hears it who asks later, as after a file was read for a client that has left. */
export function onClose(closable: Closable, callback: () => void): void {
  if (closable.closed) callback();
  else closable.once('close', callback);
}
