import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerNetwork } from '../../domain/audit/caller-network.ts';
import { type Message, message } from '../../domain/messages/message.ts';
import { inEnglish } from '../../domain/messages/render.ts';
import { unavailableProblem } from '../answers/problem-response.ts';
import { createRefusalReport } from '../refusal-report.ts';
import { answerOnSocket, type SocketAnswerNeeds } from './answer-on-socket.ts';
import { onClose } from './on-close.ts';

type Needs = SocketAnswerNeeds & {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Behind a proxy all clients have its address. */
  readonly isTrustedProxy: (address: string) => boolean;
  /** Called every few seconds at most, with the connections refused since. */
  readonly onRefused: (reason: string, count: number) => void;
};

/** Connections that are being told that there are too many; beyond it they are closed without a word. */
const MAX_REFUSED = 128;

/** Refuses connections beyond the limits, with an answer, before anything is read from them. */
export function limitConnections(server: Server, needs: Needs): void {
  const accept = server.listeners('connection') as ((socket: Socket) => void)[];
  const openBy = new Map<string, number>();
  let open = 0;
  let refused = 0;
  const report = createRefusalReport(needs.timers, needs.onRefused);

  function whyRefused(address: string, network: string): Message | null {
    if (open >= needs.maxConnections) return message('too-many-connections');
    if ((openBy.get(network) ?? 0) < needs.maxConnectionsPerAddress || needs.isTrustedProxy(address)) return null;
    return message('too-many-connections-from', { address });
  }

  function admit(socket: Socket, network: string): void {
    open += 1;
    openBy.set(network, (openBy.get(network) ?? 0) + 1);
    onClose(socket, () => {
      open -= 1;
      const left = (openBy.get(network) ?? 0) - 1;
      if (left === 0) openBy.delete(network);
      else openBy.set(network, left);
    });
    for (const listener of accept) listener.call(server, socket);
  }

  function refuse(socket: Socket, reason: Message): void {
    report(inEnglish(reason));
    if (refused >= MAX_REFUSED) {
      socket.destroy();
      return;
    }
    refused += 1;
    onClose(socket, () => {
      refused -= 1;
    });
    answerOnSocket(socket, unavailableProblem(message('nothing-was-done', { reason })), needs);
    socket.resume();
  }

  // The listener that reads requests must not see a connection that is refused.
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Without an address the connection was reset before it could be accepted.
    if (remoteAddress === undefined) return void socket.destroy();
    const network = callerNetwork(remoteAddress);
    const reason = whyRefused(remoteAddress, network);
    if (reason === null) admit(socket, network);
    else refuse(socket, reason);
  });
}
