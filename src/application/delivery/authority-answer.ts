import type { AuthorityAnswer, AuthorityError } from '../../domain/documents/outbound-document.ts';
import type { Failure } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';

/** The `ujp` member of an accepted document. */
export function acceptedAnswer({ euid, qrLink, registeredAt, status, message }: Registration): AuthorityAnswer {
  const { code: statusCode, name: statusName } = status;
  return { accepted: true, euid, qrLink, registeredAt, statusCode, statusName, message, errors: [] };
}

/** The `ujp` member of a rejected document. */
export function rejectedAnswer(failure: Failure, errors: readonly AuthorityError[]): AuthorityAnswer {
  return {
    accepted: false,
    euid: null,
    qrLink: null,
    registeredAt: null,
    statusCode: null,
    statusName: null,
    message: errors[0]?.message ?? failure.message,
    errors,
  };
}
