import { AuthorityUnavailable, type CodeListAsker, type CodeListSource } from '../../application/code-list-source.ts';
import type { AuthorityEnvironment } from '../../domain/tenant.ts';
import { getJson, refusal } from './authority-http.ts';
import { readCodeListAnswer } from './code-list-answer.ts';
import { CODE_LIST_SERVICES } from './code-list-services.ts';

export type CodeListSourceOptions = {
  /** Root of the authority's query API per environment; null where none is configured. */
  readonly urls: Readonly<Record<AuthorityEnvironment, string | null>>;
  /** For one whole call, from connecting to the last byte. */
  readonly timeoutMs: number;
};

/** Reads code lists from the authority's catalogue services. */
export function createCodeListSource({ urls, timeoutMs }: CodeListSourceOptions): CodeListSource {
  return {
    read: async (asker, type) => {
      const service = CODE_LIST_SERVICES[type];
      const url = `${rootOf(urls, asker.environment)}/api/v1/${service.path}`;
      const answer = await getJson(url, callerHeaders(asker), timeoutMs);
      const entries = readCodeListAnswer(answer, service);
      if (entries === null) throw refusal(url, `no readable ${service.list}`, answer);
      return entries;
    },
  };
}

function rootOf(urls: CodeListSourceOptions['urls'], environment: AuthorityEnvironment): string {
  const url = urls[environment];
  if (url === null) throw new AuthorityUnavailable(`No URL of the authority is configured for ${environment}`);
  return url.replace(/\/+$/u, '');
}

function callerHeaders({ edb, eujpId }: CodeListAsker): Record<string, string> {
  if (eujpId === null || eujpId.trim() === '') {
    throw new AuthorityUnavailable(`Taxpayer ${edb} has no EUJP-ID, without which the authority answers nothing`);
  }
  return { accept: 'application/json', 'X-EUJP-ID': eujpId, 'X-EDB': edb };
}
