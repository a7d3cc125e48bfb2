import type { Timers } from '../application/ports/platform.ts';
import { isLoopback } from '../config/is-loopback.ts';
import type { Config } from '../config.ts';
import { listen, localUrl, surviveUnaccepted } from '../http/connections/listening.ts';
import { trackConnections } from '../http/connections/track-connections.ts';
import { createOpsServer, type OpsAnswers } from '../http/ops-server.ts';

/** The port for health and metrics: open from the first moment of a process to its last. */
export type Ops = {
  readonly url: string;
  /** What the start is doing; the reason for not being ready until `answerFor`. */
  readonly starting: (step: string) => void;
  /** From now on it answers for a service. */
  readonly answerFor: (service: OpsAnswers) => void;
  readonly close: () => Promise<void>;
};

export async function openOps({ opsHost, opsPort }: Config, timers: Timers): Promise<Ops> {
  let step = 'the process has just begun';
  let service: OpsAnswers | null = null;
  const notReadyBecause = async () => `starting; ${step}`;
  const server = createOpsServer({
    isLoopback,
    isLoopbackOnly: isLoopback(opsHost),
    answers: () => service ?? { notReadyBecause, metrics: null, console: () => false },
  });
  const connections = trackConnections(server, timers);
  // Whoever probes it asks again soon, and sees then whether it is reached.
  surviveUnaccepted(server, () => undefined);
  await listen(server, opsHost, opsPort);
  return {
    url: localUrl(server, opsHost),
    starting(next) {
      step = next;
    },
    answerFor(one) {
      service = one;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.closeUnused();
        // The rest of a form may never come, and nobody would carry it out any more.
        connections.closeHalfSent();
      }),
  };
}
