import type { FailingDocuments } from '../../../application/ports/storage/delivery-store.ts';
import { expiryWarning } from '../../../domain/accounts/certificate-expiry.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { DeliveryHold } from '../../../domain/operations/delivery-hold.ts';
import { type Html, html } from '../../../http/pages/html.ts';
import { ROOT } from '../../answers.ts';
import { framed } from '../frame.ts';
import { holdReason } from '../hold-reason.ts';
import { badge } from '../marks.ts';
import type { ConsoleView } from '../view.ts';

export type TenantRows = {
  readonly tenants: readonly Tenant[];
  readonly failing: ReadonlyMap<Edb, FailingDocuments>;
  readonly validTo: ReadonlyMap<Edb, number>;
  readonly hold: DeliveryHold | null;
};

export function tenantsPage(view: ConsoleView, { tenants, failing, validTo, hold }: TenantRows): string {
  const { words } = view;
  const heads = ['tenant', 'state', 'installation', 'user', 'certificate-until'] as const;
  const rows = tenants.map(
    (tenant) =>
      html`<tr><td><a href="${ROOT}/tenants/${tenant.edb}">${tenant.name}</a> <span class="quiet small">${tenant.edb}</span></td><td>${stateBadges(view, tenant, failing.get(tenant.edb))}</td><td>${words(`installation-${tenant.environment}`)}</td><td>${tenant.eujpId ?? '–'}</td><td>${certificateUntil(view, validTo.get(tenant.edb) ?? null)}</td></tr>\n`,
  );
  const body = html`<h1>${words('tenants')}</h1><p class="lead">${words('tenants-lead')}</p>
<div data-live="tenants">${heldText(view, hold)}<table class="wide rows"><thead><tr>${heads.map((name) => html`<th scope="col">${words(name)}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`;
  return framed(view, { title: words('tenants'), place: 'tenants', body, isLive: true });
}

/** Why nothing is sent for any tenant, whatever its own state. */
export function heldText(view: ConsoleView, hold: DeliveryHold | null): Html | null {
  return hold === null ? null : html`<p class="trouble">${view.words('delivery-held')} ${holdReason(view, hold)}</p>`;
}

export function stateBadges({ words }: ConsoleView, tenant: Tenant, failing: FailingDocuments | undefined): Html {
  if (tenant.stopped !== null) return badge('bad', words('stopped'));
  if (failing !== undefined) return badge('warn', words('failing'));
  return tenant.outboundEnabled ? badge('good', words('delivering')) : badge('quiet', words('outbound-off'));
}

export function certificateUntil({ words, time, now }: ConsoleView, validTo: number | null): Html {
  if (validTo === null) return badge('warn', words('no-certificate'));
  if (expiryWarning(validTo, now) === null) return html`${time(validTo)}`;
  return html`${time(validTo)} ${badge(validTo <= now ? 'bad' : 'warn', words(validTo <= now ? 'key-expired' : 'key-expiring'))}`;
}
