import type { CertificateInput } from './certificate.ts';
import type { Company, UserInput } from './company.ts';
import { createDocuments, type Documents } from './documents.ts';
import { type Journal, NO_JOURNAL, openJournal } from './journal.ts';
import type { PurchaseVatTotal, Registration, StatusChange } from './registered-document.ts';
import { createRegistry, type Registry } from './registry.ts';

export type StateEvent =
  | { readonly kind: 'company'; readonly company: Company }
  | { readonly kind: 'user'; readonly user: UserInput }
  | { readonly kind: 'certificate'; readonly certificate: CertificateInput }
  | { readonly kind: 'document'; readonly document: Registration }
  | { readonly kind: 'status'; readonly change: StatusChange }
  | { readonly kind: 'purchase-vat'; readonly euid: string; readonly totals: readonly PurchaseVatTotal[] };

export type State = {
  readonly registry: Registry;
  readonly documents: Documents;
  /** Applies a change and writes it to the state file. */
  readonly record: (event: StateEvent) => void;
  readonly close: () => void;
};

export function openState(stateFile: string | null): State {
  const registry = createRegistry();
  const documents = createDocuments();
  const apply = (event: StateEvent) => applyTo(registry, documents, event);
  const journal: Journal =
    stateFile === null ? NO_JOURNAL : openJournal(stateFile, (entry) => apply(entry as StateEvent));
  return {
    registry,
    documents,
    record: (event) => {
      // Applied first: a change that fails must not get into the file.
      apply(event);
      journal.append(event);
    },
    close: journal.close,
  };
}

function applyTo(registry: Registry, documents: Documents, event: StateEvent): void {
  if (event.kind === 'company') registry.putCompany(event.company);
  else if (event.kind === 'user') registry.putUser(event.user);
  else if (event.kind === 'certificate') registry.putCertificate(event.certificate);
  else if (event.kind === 'document') documents.add(event.document);
  else if (event.kind === 'status') documents.changeStatus(event.change);
  else documents.allocateVat(event.euid, event.totals);
}
