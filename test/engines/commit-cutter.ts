import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type CommitCutter = {
  /** Carries out the next commit of a transaction that sends such a text, and breaks its connection instead of the answer. */
  readonly cutNext: (text: string) => void;
  /** Breaks the connection of the next such statement, which does not arrive. */
  readonly breakNext: (statement: string) => void;
  readonly cuts: () => number;
  readonly close: () => void;
};

/** Stands between a program and PostgreSQL, as a network does that fails at the worst moment. */
export async function startCommitCutter(server: string, place: string): Promise<CommitCutter> {
  const open = new Set<Socket>();
  let wanted: string | null = null;
  let broken: string | null = null;
  let cuts = 0;

  const proxy = createServer((client) => {
    const upstream = connect(server);
    let isWanted = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (broken !== null && bytes.includes(broken)) {
        broken = null;
        cuts += 1;
        client.destroy();
        return;
      }
      isWanted ||= wanted !== null && bytes.includes(wanted);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isWanted && bytes.includes('COMMIT\0')) {
        wanted = null;
        cuts += 1;
        client.destroy();
      } else client.write(bytes);
    });
  });
  proxy.listen(place);
  await once(proxy, 'listening');
  return {
    cutNext(text) {
      wanted = text;
    },
    breakNext(statement) {
      broken = statement;
    },
    cuts: () => cuts,
    close() {
      proxy.close();
      for (const socket of open) socket.destroy();
    },
  };
}
