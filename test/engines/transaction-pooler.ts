import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Pooler = { readonly close: () => void };

/** A connection to the server, lent to a client from the beginning of a transaction to its end. */
type Lent = { readonly socket: Socket; client: Client | null; unanswered: number };
type Client = { readonly socket: Socket; lent: Lent | null; readonly waiting: Buffer[] };

const STARTUP = 196_608;
/** What a pooler passes on; a client that sets anything else for its whole connection is refused. */
const SETTINGS = new Set(['user', 'database', 'client_encoding', 'application_name']);
const OUTSIDE_TRANSACTION = 'I'.charCodeAt(0);

/**
 * A pooler in transaction mode, reduced to what matters: a client has a connection during a transaction alone, and the next
 * time another one, which others have used in between. Whatever is left on a connection reaches the wrong client.
 */
export async function startPooler(server: string, place: string, database: string, size: number): Promise<Pooler> {
  const free: Lent[] = [];
  const queue: Client[] = [];
  let greeting = Buffer.alloc(0);

  async function connectServer(): Promise<Lent> {
    const socket = connect(server);
    const lent: Lent = { socket, client: null, unanswered: 0 };
    const greeted = Promise.withResolvers<void>();
    let told = Buffer.alloc(0);
    const read = messages((type, bytes) => {
      if (type === 'Z') greeted.resolve();
      if (lent.client !== null) answer(lent, type, bytes);
      else told = Buffer.concat([told, bytes]);
    });
    socket.on('data', read);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(startup({ user: 'postgres', database }));
    await greeted.promise;
    greeting = told;
    return lent;
  }

  function answer(lent: Lent, type: string, bytes: Buffer): void {
    lent.client?.socket.write(bytes);
    if (type !== 'Z') return;
    lent.unanswered -= 1;
    if (lent.unanswered > 0 || bytes[5] !== OUTSIDE_TRANSACTION) return;
    if (lent.client !== null) lent.client.lent = null;
    lent.client = null;
    free.push(lent);
    serve();
  }

  function serve(): void {
    while (free.length > 0 && queue.length > 0) {
      const [lent, client] = [free.shift(), queue.shift()];
      if (lent === undefined || client === undefined) return;
      lent.client = client;
      client.lent = lent;
      for (const bytes of client.waiting.splice(0)) pass(lent, bytes);
    }
  }

  function pass(lent: Lent, bytes: Buffer): void {
    // Query and Sync are the ones that are answered by "ready".
    if (['Q', 'S'].includes(String.fromCharCode(bytes[0] ?? 0))) lent.unanswered += 1;
    lent.socket.write(bytes);
  }

  function accept(socket: Socket): void {
    const client: Client = { socket, lent: null, waiting: [] };
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      const names = settings(first);
      const refused = names.filter((name) => !SETTINGS.has(name));
      if (refused.length > 0) return void socket.destroy(new Error(`unsupported: ${refused.join()}`));
      socket.on(
        'data',
        messages((type, bytes) => take(client, type, bytes)),
      );
      socket.write(greeting);
    });
  }

  function take(client: Client, type: string, bytes: Buffer): void {
    if (type === 'X') return void client.socket.end();
    // A statement under a name stays on the connection of that moment.
    if (type === 'P' && bytes[5] !== 0) return void client.socket.destroy();
    if (client.lent !== null) {
      pass(client.lent, bytes);
      return;
    }
    client.waiting.push(bytes);
    if (client.waiting.length === 1) queue.push(client);
    serve();
  }

  for (let count = 0; count < size; count += 1) free.push(await connectServer());
  const listener = createServer(accept).listen(place);
  await once(listener, 'listening');
  return {
    close() {
      listener.close();
      for (const { socket } of free) socket.destroy();
    },
  };
}

/** Cuts a stream into messages: a letter, a length, and so many bytes. */
function messages(each: (type: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      each(String.fromCharCode(bytes[0] ?? 0), bytes);
    }
  };
}

function startup(values: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(values).flat();
  const body = Buffer.from(`${text.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length, 0);
  head.writeInt32BE(STARTUP, 4);
  return Buffer.concat([head, body]);
}

function settings(first: Buffer): readonly string[] {
  const texts = first.subarray(8).toString().split('\0');
  return texts.filter((name, index) => index % 2 === 0 && name !== '');
}
