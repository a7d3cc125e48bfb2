import type { FailingDocuments } from '../../../application/ports/storage/delivery-store.ts';
import { expiryWarning } from '../../../domain/accounts/certificate-expiry.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { DeliveryHold } from '../../../domain/operations/delivery-hold.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { ROOT } from '../../answers.ts';
import { hasText, type Search } from '../../requests/read-search.ts';
import { framed } from '../frame.ts';
import { holdReason } from '../hold-reason.ts';
import { searchedList } from '../list-pages.ts';
import { badge, type Tone } from '../marks.ts';
import type { ConsoleView } from '../view.ts';

export type TenantRows = {
  readonly tenants: readonly Tenant[];
  readonly failing: ReadonlyMap<Edb, FailingDocuments>;
  readonly validTo: ReadonlyMap<Edb, number>;
  readonly hold: DeliveryHold | null;
};

/** Those of the badges, and one that concerns tenants of any of them. */
export const TENANT_STATES = ['stopped', 'failing', 'delivering', 'outbound-off', 'certificate-trouble'] as const;
type TenantState = (typeof TENANT_STATES)[number];

export function tenantsPage(view: ConsoleView, listed: TenantRows, search: Search<TenantState>): string {
  const { words } = view;
  const { asked, state } = search;
  const rows = listed.tenants.filter(
    (tenant) =>
      hasText([tenant.name, tenant.edb, tenant.eujpId], asked.q) &&
      (state === null || isIn(state, tenant, listed, view.now)),
  );
  const states = Object.fromEntries(TENANT_STATES.map((one) => [one, words(one)])) as Record<TenantState, string>;
  const table = (shown: readonly Tenant[]) => tenantTable(view, listed, shown);
  const label = words('search-tenants');
  const body = html`<h1>${words('tenants')}</h1><p class="lead">${words('tenants-lead')}</p>
<div data-live="hold">${heldText(view, listed.hold)}</div>
${searchedList(view, 'tenants', { path: '/tenants', search, label, states, rows, table })}`;
  return framed(view, { title: words('tenants'), place: 'tenants', body, isLive: true });
}

function isIn(state: TenantState, tenant: Tenant, { failing, validTo }: TenantRows, now: number): boolean {
  if (state !== 'certificate-trouble') return stateOf(tenant, failing.get(tenant.edb)).name === state;
  const until = validTo.get(tenant.edb) ?? null;
  return until === null || expiryWarning(until, now) !== null;
}

function tenantTable(view: ConsoleView, { failing, validTo }: TenantRows, tenants: readonly Tenant[]): Html {
  const { words } = view;
  const heads = ['tenant', 'state', 'installation', 'user', 'certificate-until'] as const;
  const rows = tenants.map(
    (tenant) =>
      html`<tr><td><a href="${ROOT}/tenants/${tenant.edb}">${tenant.name}</a> <span class="quiet small edb">${tenant.edb}</span></td><td>${stateBadges(view, tenant, failing.get(tenant.edb))}</td><td>${words(`installation-${tenant.environment}`)}</td><td data-name="${words('user')}">${tenant.eujpId ?? '–'}</td><td data-name="${words('certificate-until')}">${certificateUntil(view, validTo.get(tenant.edb) ?? null)}</td></tr>\n`,
  );
  return html`<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}

/** Why nothing is sent for any tenant, whatever its own state. */
export function heldText(view: ConsoleView, hold: DeliveryHold | null): Html | null {
  return hold === null ? null : html`<p class="trouble">${view.words('delivery-held')} ${holdReason(view, hold)}</p>`;
}

export function stateBadges({ words }: ConsoleView, tenant: Tenant, failing: FailingDocuments | undefined): Html {
  const { name, tone } = stateOf(tenant, failing);
  return badge(tone, words(name));
}

type ShownState = { readonly name: Exclude<TenantState, 'certificate-trouble'>; readonly tone: Tone };

function stateOf({ stopped, outboundEnabled }: Tenant, failing: FailingDocuments | undefined): ShownState {
  if (stopped !== null) return { name: 'stopped', tone: 'bad' };
  if (failing !== undefined) return { name: 'failing', tone: 'warn' };
  return outboundEnabled ? { name: 'delivering', tone: 'good' } : { name: 'outbound-off', tone: 'quiet' };
}

export function certificateUntil({ words, time, now }: ConsoleView, validTo: number | null): Html {
  if (validTo === null) return badge('warn', words('no-certificate'));
  if (expiryWarning(validTo, now) === null) return html`${time(validTo)}`;
  return html`${time(validTo)} ${badge(validTo <= now ? 'bad' : 'warn', words(validTo <= now ? 'key-expired' : 'key-expiring'))}`;
}
