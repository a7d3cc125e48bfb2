import type { OperatorRole } from '../domain/accounts/operator-account.ts';
import type { Answer, SignedVisit, Visit } from './visit.ts';

/** A page or an action of the console. */
export type Route =
  | {
      readonly method: 'GET' | 'POST';
      /** Below `/console`; `:name` stands for any one part. */
      readonly path: string;
      /** The least role that it takes. */
      readonly role: OperatorRole;
      readonly handle: (visit: SignedVisit) => Promise<Answer>;
    }
  | {
      readonly method: 'GET' | 'POST';
      readonly path: string;
      /** For whoever asks. */
      readonly role: null;
      readonly handle: (visit: Visit) => Promise<Answer>;
    };

export type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

export function findRoute(routes: readonly Route[], method: string, path: string): Found | null {
  const parts = path.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const wanted = route.path.split('/');
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part.startsWith(':') || part === parts[index])) continue;
    const named = wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), parts[index] ?? '']] : []));
    return { route, params: Object.fromEntries(named) };
  }
  return null;
}
