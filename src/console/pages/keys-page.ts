import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import { confirmPage } from './confirm-page.ts';
import { framed } from './frame.ts';
import { badge, type Tone } from './marks.ts';
import { type ConsoleView, mayAct } from './view.ts';

/** Long before clients fail because of it. */
const SOON_MS = 30 * 86_400_000;

type State = { readonly name: 'key-valid' | 'key-expiring' | 'key-expired' | 'key-revoked'; readonly tone: Tone };

function keyState({ revokedAt, expiresAt }: ApiKey, now: number): State {
  if (revokedAt !== null) return { name: 'key-revoked', tone: 'quiet' };
  if (expiresAt === null || expiresAt > now + SOON_MS) return { name: 'key-valid', tone: 'good' };
  return expiresAt > now ? { name: 'key-expiring', tone: 'warn' } : { name: 'key-expired', tone: 'bad' };
}

export function keysPage(view: ConsoleView, keys: readonly ApiKey[], tenants: readonly Tenant[]): string {
  const { words } = view;
  const names = new Map(tenants.map(({ edb, name }) => [edb, name]));
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
  const body = html`<h1>${words('keys')}</h1>
<p class="lead">${words('keys-lead')}</p>
${keys.length === 0 ? html`<p class="quiet">${words('nothing-here')}</p>` : null}
<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}<th scope="col"><span class="unseen">${words('actions')}</span></th></tr></thead><tbody>
${keys.map((key) => keyRow(view, key, names.get(key.tenant) ?? ''))}</tbody></table>`;
  return framed(view, { title: words('keys'), place: 'keys', body });
}

function keyRow(view: ConsoleView, key: ApiKey, tenantName: string): Html {
  const { words, time, now } = view;
  const { name, tone } = keyState(key, now);
  const addresses = key.allowedAddresses.length === 0 ? words('everywhere') : key.allowedAddresses.join(', ');
  const revoke =
    mayAct(view) && key.revokedAt === null
      ? html`<a class="act" href="${ROOT}/keys/${key.keyId}/revoke">${words('revoke')}<span class="unseen"> ${key.keyId}</span></a>`
      : null;
  return html`<tr><td><code>${key.keyId}</code></td><td>${tenantName} <span class="quiet">${key.tenant}</span></td><td>${key.software}</td><td>${badge(tone, words(name))}</td><td>${key.lastUsedAt === null ? words('never') : time(key.lastUsedAt)}</td><td>${key.expiresAt === null ? words('never') : time(key.expiresAt)}</td><td>${addresses}</td><td class="num">${key.callsPerMinute}</td><td>${revoke}</td></tr>
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
