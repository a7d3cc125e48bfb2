import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileUblSchemas } from '../../src/adapters/ubl/judging/compile-schemas.ts';
import { parseXml } from '../../src/adapters/ubl/xml/libxml2.ts';
import { takeOrders } from '../processes/take-orders.ts';

/** Parses and validates what it receives, on its one thread, and keeps nothing: what nobody who checks documents can do without. */
const schemas = compileUblSchemas();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(isValid(Buffer.concat(chunks)) ? 201 : 422, { 'content-type': 'application/json' });
  response.end('{"ok":true}');
});
takeOrders(async () => undefined);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

function isValid(document: Buffer): boolean {
  const parsed = parseXml(document, true);
  if (!('root' in parsed)) return false;
  try {
    return parsed.validate(schemas.Invoice).length === 0;
  } finally {
    parsed[Symbol.dispose]();
  }
}
