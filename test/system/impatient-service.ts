import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/main/serve.ts';

/** Far below what production allows: the simulated authority carries out no request that late. */
const OUTCOME_WINDOW_SECONDS = 3;

/** The service as the program runs it, but for the time after which a lost answer counts as not registered. */
process.exitCode = await serve(
  {
    out: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
  },
  { ...readConfig(), outcomeWindowSeconds: OUTCOME_WINDOW_SECONDS },
);
