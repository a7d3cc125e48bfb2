import { serve } from '../../src/main/serve.ts';

/** The service as `dostava serve` runs it, but that it ends with the bench. Says when it is ready. */
const stop = new AbortController();
process.on('SIGINT', () => undefined);
process.once('disconnect', () => stop.abort());
const exitCode = await serve(
  {
    out(line) {
      const { opsUrl } = JSON.parse(line) as { readonly opsUrl?: string };
      if (opsUrl !== undefined) process.send?.({});
    },
    error: (line) => console.error(line),
  },
  stop.signal,
);
process.exit(exitCode);
