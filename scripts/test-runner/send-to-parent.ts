/** Resolves when the message has left this process: a disconnect drops what does not fit into the pipe while the parent is busy. */
export function sendToParent(message: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('There is no process to send it to.');
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
