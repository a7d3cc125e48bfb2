import type { Logger } from 'pino';
import { listCertificates, watchCertificates } from '../../application/accounts/watch-certificates.ts';
import type { KeyEvent } from '../../application/accounts/watch-keys.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Job } from '../../worker/worker.ts';
import type { WorkNeeds } from './work-needs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** With a wrong CREDENTIALS_KEY all tenants have the same line. */
const MOST_LINES = 20;

export function logKey(log: Logger, { tenant, reason, isInMemory, unopened }: KeyEvent): void {
  if (unopened > MOST_LINES) return;
  if (reason === null) log.warn({ tenant, unopened }, 'the private key of the taxpayer can be opened again');
  else
    log.error(
      { tenant, reason, unopened },
      isInMemory
        ? 'the private key of the taxpayer was sealed anew and cannot be opened here; it is used from memory until this process ends'
        : 'the private key of the taxpayer cannot be opened here; its work is left to others',
    );
}

/** Looks after the keys and certificates that tenants sign with. */
export function accountJobs({ foundation, connection, log, metrics }: WorkNeeds): readonly Job[] {
  const { storage, clock } = foundation;
  const checkCertificates = watchCertificates({
    list: listCertificates({ credentials: storage.credentials, clock }),
    onLook: metrics.certificates,
    onWarning: ({ tenant, serialNumber, validTo, daysLeft, warning }) =>
      log.warn(
        { tenant, serialNumber, expiresAt: formatInstant(validTo), daysLeft },
        warning === 0 ? 'the certificate of the taxpayer has expired' : 'the certificate of the taxpayer expires soon',
      ),
  });
  return [
    { name: 'watch keys', everyMs: MINUTE_MS, runsAtOnce: true, run: connection.keyWatch.check },
    { name: 'watch certificates', everyMs: HOUR_MS, runsAtOnce: true, run: checkCertificates },
  ];
}
