import { createPasswordHashing } from '../../src/adapters/credentials/password-hashing.ts';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { OperatorRole } from '../../src/domain/accounts/operator-account.ts';
import type { TestService } from '../support/service.ts';

export const PASSWORD = 'correct horse battery';

const TOKEN = /name="token" value="([0-9a-f]{64})"/u;

let hashed: Promise<string> | null = null;

/** A hash costs what it says: this one next to nothing, instead of a fifth of a second. */
const CHEAP = { N: 1_024, r: 1, p: 1 };

export async function addOperator(storage: Storage, name: string, role: OperatorRole): Promise<void> {
  hashed ??= createPasswordHashing(systemRandom, CHEAP).hash(PASSWORD);
  const passwordHash = await hashed;
  await storage.transaction((tx) => tx.operators.add({ name, role, createdAt: 0 }, passwordHash));
}

/** Somebody who has an account of that name and has just signed in. */
export async function signedIn(
  { foundation, opsUrl }: Pick<TestService, 'foundation' | 'opsUrl'>,
  name: string,
  role: OperatorRole,
): Promise<Visitor> {
  await addOperator(foundation.storage, name, role);
  const arrived = visitor(opsUrl);
  await arrived.signIn(name);
  return arrived;
}

export type Seen = { readonly status: number; readonly headers: Headers; readonly text: string };

type Headed = Readonly<Record<string, string>>;

export type Visitor = {
  readonly get: (path: string, headers?: Headed) => Promise<Seen>;
  /** A form of the last page that was read. */
  readonly post: (path: string, fields: Headed, headers?: Headed) => Promise<Seen>;
  readonly signIn: (name: string, password?: string) => Promise<Seen>;
  readonly cookies: Map<string, string>;
};

/** What a form has that was sent from elsewhere, through a proxy that takes TLS. */
export function throughProxy(opsUrl: string, from: string): Headed {
  return { origin: opsUrl.replace('http:', 'https:'), 'x-forwarded-proto': 'https', 'x-forwarded-for': from };
}

/** What a browser does: keeps cookies, names the origin of forms, sends the hidden fields of the page along. */
export function visitor(opsUrl: string): Visitor {
  const cookies = new Map<string, string>();
  let token = '';

  async function call(path: string, init: RequestInit & { readonly headers: Headed }): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const response = await fetch(`${opsUrl}/console${path}`, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = pair.split('=', 2);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    token = TOKEN.exec(text)?.[1] ?? token;
    return { status: response.status, headers: response.headers, text };
  }

  const get: Visitor['get'] = (path, headers = {}) => call(path, { headers });
  const post: Visitor['post'] = (path, fields, headers = {}) =>
    call(path, {
      method: 'POST',
      headers: { origin: opsUrl, ...headers },
      body: new URLSearchParams({ token, ...fields }),
    });
  return {
    cookies,
    get,
    post,
    async signIn(name, password = PASSWORD) {
      const seen = await post('/sign-in', { name, password });
      if (seen.status === 303) await get('/keys');
      return seen;
    },
  };
}
