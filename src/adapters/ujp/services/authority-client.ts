import type { Authority } from '../../../application/ports/authority.ts';
import type { AuthorityRegister } from '../../../application/ports/recovery/authority-register.ts';
import { interpretErrors } from '../answers/interpret-errors.ts';
import { container } from '../containers/container.ts';
import { type AuthorityCaller, type CallerNeeds, createAuthorityCaller } from '../gateway/authority-caller.ts';
import { catalogueService } from '../gateway/authority-service.ts';
import { allowedIndicators } from './allowed-indicators.ts';
import { arrivalAnswers, arrivals } from './arrivals.ts';
import type { AuthorityQueries } from './authority-queries.ts';
import { exchangeRate } from './exchange-rate.ts';
import { findRegistered, registeredUnderNumber } from './find-registered.ts';
import { registrations } from './register/registrations.ts';
import { DRAFT, registeredDocuments } from './registered-documents.ts';
import { registeredPayload } from './registered-payloads.ts';
import { registryCompany } from './registry-company.ts';
import { sendDocument } from './send-document.ts';
import { statusChanges } from './status-changes.ts';

export type AuthorityClient = Omit<Authority, 'prepare' | 'prepareVoid' | 'refusedReferences' | 'check'> &
  AuthorityQueries &
  AuthorityRegister;

/** The client of the authority's own interface: signed JSON over HTTP, for the test and the production installation. */
export function createAuthorityClient(needs: CallerNeeds): AuthorityClient {
  const caller = createAuthorityCaller(needs);
  const { urls, clock } = needs;
  return {
    interpret: interpretErrors,
    requestTimestamp: ({ environment }) => caller.requestTimestamp(environment),
    sinceRequestMs: ({ environment }, madeAt) => caller.sinceRequestMs(environment, madeAt),
    send: sendDocument({ caller, urls, clock }),
    findRegistered: findRegistered({ caller, urls }),
    ...registrations({ caller, urls }),
    container: container(caller),
    statusChanges: statusChanges(caller),
    ...arrivals(caller),
    ...arrivalAnswers(caller),
    list: (tenant, path) => caller.get(tenant, catalogueService(path)),
    company: registryCompany(caller),
    exchangeRate: exchangeRate(caller),
    allowedIndicators: allowedIndicators(caller),
    findByNumber: findByNumber(caller),
    registeredUnderNumber: registeredUnderNumber({ caller, urls }),
    registeredPayload: (tenant, euid) => registeredPayload(caller, tenant, euid),
    serverTime: caller.serverTime,
  };
}

function findByNumber(caller: AuthorityCaller): AuthorityQueries['findByNumber'] {
  return async (tenant, docNumber, docDate) => {
    const found = await registeredDocuments(caller, tenant, docNumber, docDate);
    const [document, ...others] = found.filter(
      (one) => one.docNumber === docNumber.trim() && one.status.code !== DRAFT,
    );
    return document === undefined || others.length > 0 ? null : { euid: document.euid, issueDate: docDate };
  };
}
