/**
 * The side of a process of the bench: answers one order after another, and ends with the bench, whatever way that ends. Ctrl-C
 * reaches it too; the bench decides what that means.
 */
export function takeOrders<Order>(
  handle: (order: Order) => Promise<unknown>,
  close: () => Promise<void> = async () => undefined,
): void {
  process.on('SIGINT', () => undefined);
  process.on('message', async (order: Order) => {
    const told = await handle(order).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    if (process.connected) process.send?.(told);
  });
  process.once('disconnect', async () => {
    await close();
    process.exit(0);
  });
}
