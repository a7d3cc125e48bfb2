import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takeOrders } from '../processes/take-orders.ts';

/** Receives a body and answers 201, or answers as many bytes as its path says: the floor under every figure of the service. */
const answers = new Map<string, Buffer>();

const server = createServer(async (request, response) => {
  for await (const _chunk of request);
  const isRead = request.method === 'GET';
  response.writeHead(isRead ? 200 : 201, { 'content-type': 'application/json' });
  response.end(isRead ? answerOf(request.url ?? '') : '{"ok":true}');
});
takeOrders(async () => undefined);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

function answerOf(path: string): Buffer {
  const known = answers.get(path);
  if (known !== undefined) return known;
  const answer = Buffer.alloc(Number(path.slice(1)), 'x');
  answers.set(path, answer);
  return answer;
}
