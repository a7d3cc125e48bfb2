import { type Answer, type Connection, openConnection } from './connection.ts';
import type { Call, Plan } from './plan.ts';

const DIGITS = 9;
/** Over all orders of this process: no document is sent twice under the same key. */
let serial = 0;

export type Requests = {
  /** The request of this place in the plan, on a connection that is opened anew where the last one ended. */
  readonly send: (client: Client, index: number) => Promise<Answer>;
};

export type Client = { connection: Connection | null };

export function createRequests({ url, calls }: Plan): Requests {
  const heads = calls.map((call) => headOf(url, call));
  return {
    async send(client, index) {
      const at = index % calls.length;
      const call = calls[at];
      if (call === undefined) throw new Error('A plan needs calls.');
      if (client.connection?.isOpen() !== true) client.connection = await openConnection(url);
      const { head, body } = numbered(call, heads[at] ?? '');
      return client.connection.send(`${head}\r\n`, body);
    },
  };
}

function headOf(url: string, { method, path, headers, body }: Call): string {
  const all = { host: new URL(url).host, ...headers, ...(body === null ? {} : { 'content-length': body.length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}

function numbered({ body, numberAt }: Call, head: string): { readonly head: string; readonly body: Uint8Array | null } {
  if (body === null || numberAt === null) return { head, body };
  serial += 1;
  const number = String(serial).padStart(DIGITS, '0');
  const copy = Buffer.from(body);
  copy.write(number, numberAt, 'latin1');
  return { head: `${head}X-Idempotency-Key: ${process.pid}-${number}\r\n`, body: copy };
}
