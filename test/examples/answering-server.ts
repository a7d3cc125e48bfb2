import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Something that a connector takes for the service; it answers when it has the whole request. Returns its address. */
export async function startAnswering(
  t: TestContext,
  answerTo: (request: IncomingMessage) => Answer | Promise<Answer>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { status, body, headers } = await answerTo(request);
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
