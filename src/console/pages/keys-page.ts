import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import { hasText, type Search } from '../requests/read-search.ts';
import { confirmPage } from './confirm-page.ts';
import { framed } from './frame.ts';
import { searchedList } from './list-pages.ts';
import { badge, type Tone } from './marks.ts';
import { type ConsoleView, mayAct } from './view.ts';

/** Long before clients fail because of it. */
const SOON_MS = 30 * 86_400_000;

export const KEY_STATES = ['valid', 'expiring', 'expired', 'revoked'] as const;
type KeyState = (typeof KEY_STATES)[number];

type State = { readonly name: KeyState; readonly tone: Tone };

function keyState({ revokedAt, expiresAt }: ApiKey, now: number): State {
  if (revokedAt !== null) return { name: 'revoked', tone: 'quiet' };
  if (expiresAt === null || expiresAt > now + SOON_MS) return { name: 'valid', tone: 'good' };
  return expiresAt > now ? { name: 'expiring', tone: 'warn' } : { name: 'expired', tone: 'bad' };
}

export function keysPage(
  view: ConsoleView,
  keys: readonly ApiKey[],
  tenants: readonly Tenant[],
  search: Search<KeyState>,
): string {
  const { words, now } = view;
  const { asked, state } = search;
  const names = new Map(tenants.map(({ edb, name }) => [edb, name]));
  const rows = keys.filter((key) => {
    const texts = [key.keyId, key.tenant, names.get(key.tenant) ?? null, key.software];
    return hasText(texts, asked.q) && (state === null || keyState(key, now).name === state);
  });
  const states = Object.fromEntries(KEY_STATES.map((one) => [one, words(`key-${one}`)])) as Record<KeyState, string>;
  const table = (shown: readonly ApiKey[]) => keyTable(view, shown, names);
  const body = html`<h1>${words('keys')}</h1>
<p class="lead">${words('keys-lead')}</p>
${keys.length === 0 ? html`<p class="quiet">${words('nothing-here')}</p>` : searchedList(view, 'keys', { path: '/keys', search, label: words('search-keys'), states, rows, table })}`;
  return framed(view, { title: words('keys'), place: 'keys', body });
}

function keyTable(view: ConsoleView, keys: readonly ApiKey[], names: ReadonlyMap<string, string>): Html {
  const { words } = view;
  const heads = [
    'key',
    'tenant',
    'software',
    'state',
    'last-used',
    'expires',
    'allowed-from',
    'calls-a-minute',
  ] as const;
  return html`<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}<th scope="col"><span class="unseen">${words('actions')}</span></th></tr></thead><tbody>
${keys.map((key) => keyRow(view, key, names.get(key.tenant) ?? ''))}</tbody></table>`;
}

function keyRow(view: ConsoleView, key: ApiKey, tenantName: string): Html {
  const { words, time, now } = view;
  const { name, tone } = keyState(key, now);
  const addresses = key.allowedAddresses.length === 0 ? words('everywhere') : key.allowedAddresses.join(', ');
  const revoke =
    mayAct(view) && key.revokedAt === null
      ? html`<a class="act" href="${ROOT}/keys/${key.keyId}/revoke">${words('revoke')}<span class="unseen"> ${key.keyId}</span></a>`
      : null;
  return html`<tr><td><code>${key.keyId}</code></td><td>${tenantName} <span class="quiet edb">${key.tenant}</span></td><td>${key.software}</td><td>${badge(tone, words(`key-${name}`))}</td><td data-name="${words('last-used')}">${key.lastUsedAt === null ? words('never') : time(key.lastUsedAt)}</td><td data-name="${words('expires')}">${key.expiresAt === null ? words('never') : time(key.expiresAt)}</td><td class="address" data-name="${words('allowed-from')}">${addresses}</td><td class="num" data-name="${words('calls-a-minute')}">${key.callsPerMinute}</td><td>${revoke}</td></tr>
`;
}

export function revokeKeyPage(view: ConsoleView, key: ApiKey): string {
  const { words } = view;
  const values = { key: html`<code>${key.keyId}</code>`, software: key.software, tenant: key.tenant };
  return confirmPage(view, {
    place: 'keys',
    title: words('revoke-key'),
    says: [filled(words('revoke-key-means'), values), words('revoke-key-for-ever')],
    does: words('revoke'),
    back: `${ROOT}/keys`,
  });
}
