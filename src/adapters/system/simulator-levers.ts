import { OperatorError } from '../../application/operator-error.ts';
import type { OutageKind, SimulatorLevers } from '../../application/stage-outage.ts';
import type { AuthorityEnvironment } from '../../domain/tenant.ts';

type Urls = Readonly<Record<AuthorityEnvironment, { readonly portal: string } | null>>;

const TIMEOUT_MS = 10_000;

/** The levers of the authority's simulator, by HTTP as everything that concerns it. */
export function createSimulatorLevers(urls: Urls): SimulatorLevers {
  async function pull(installation: AuthorityEnvironment, order?: object): Promise<OutageKind | null> {
    const portal = urls[installation]?.portal ?? '';
    const answer = (await pullLever(`${portal}/admin/outage`, order)) as { readonly kind: OutageKind | null };
    return answer.kind;
  }

  return {
    outage: (installation) => pull(installation),
    setOutage: (installation, kind) => pull(installation, kind === null ? { on: false } : { on: true, kind }),
  };
}

/** Pulls one lever; without an order it only asks. */
export async function pullLever(url: string, order?: unknown): Promise<unknown> {
  const response = await call(url, order);
  const answer = (await response.json().catch(() => null)) as { readonly error?: string } | null;
  if (response.ok && answer !== null) return answer;
  throw new OperatorError(
    'refused',
    `${url} refused: ${answer?.error ?? `HTTP ${response.status}, no answer of a simulator`}`,
  );
}

async function call(url: string, order: unknown): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) };
  try {
    return await fetch(url, order === undefined ? { signal } : { ...post, signal });
  } catch {
    throw new OperatorError('refused', `Nothing answers at ${url}: does the demo run, with this SIMULATOR_PORT?`);
  }
}
