/** What checks say: the lines of an account check, of which each is a phrase and what was found, and the verification of the audit trail. */
export const CHECKS = {
  'check-eujp-id': 'an EUJP-ID is set',
  'check-certificate': 'a certificate is there',
  'check-delivery': 'delivery is not stopped',
  'check-collected': 'inbound documents are collected',
  'check-answers': 'the authority answers',
  'check-registered': 'the register knows the taxpayer',
  'check-signature': 'the signature is accepted',
  'check-listed': 'inbound documents are listed',
  'check-payloads': 'payloads can be downloaded (right {code})',
  'check-pdfs': 'PDFs can be downloaded (right {code})',
  'check-containers': 'containers can be downloaded (right {code})',
  'check-acceptance': 'inbound documents can be accepted or rejected',

  'found-eujp-id': '{eujpId}',
  'found-no-eujp-id': 'Not set',
  'found-no-certificate': 'There is none',
  'found-expired': '{serialNumber} expired at {at}',
  'found-days-left': '{serialNumber}, {days|day|days} until it expires',
  'found-few-days-left': '{serialNumber}, {days|day|days} until it expires; renew it now',
  'found-sending': 'Documents are sent',
  'found-stopped': 'Stopped since {since}, next try at {until}: {reason}',
  'found-stopped-due': 'Stopped since {since}, next try now: {reason}',
  'found-nothing-in-way': 'Nothing stands in the way',
  'found-problems': 'Problems: {problems}, the oldest since {since}: {reason}',
  'found-clock-agrees': 'Its clock agrees with ours',
  'found-clock-differs': 'Its clock differs from ours by {seconds} s; requests are adjusted',
  'found-company': '{name}',
  'found-no-company': 'The register has no such taxpayer',
  'found-changes': 'Status changes today: {changes}',
  'found-listed': 'In the last {days|day|days}: {documents}',
  'found-not-refused': 'Not refused for a missing right; there was no document to download',
  'found-tried-with': 'Tried with {euid}',
  'found-right-missing': 'The right {code} is missing; it is granted in e-UJP. {reason}',
  'found-not-testable': 'Cannot be tested without accepting a document',
  'found-failure': '{reason}',

  'trail-recognised': 'recognised',
  'trail-unrecognised': 'unrecognised',
  'trail-entry': 'The entry {id}',
  'trail-entry-of': 'The entry {id} of {at}',

  'trail-entry-changed': '{entry} was changed after it was written',
  'trail-entry-inserted': '{entry} was inserted: no seal names it',
  'trail-entry-removed': '{entry} was removed from block {block}',
  'trail-entry-stray': '{entry} was inserted: its block is {block}, and no block has such a number',
  'trail-seal-stray': 'A seal was inserted: its block is {block}, and no block has such a number',
  'trail-entry-in-other-chain': '{entry} belongs to the chain {chain}, but block {block} is of the chain {other}',
  'trail-entry-without-seal':
    '{entry} is in block {block}, which has no seal: the seal was removed, or the entry inserted',

  'trail-seal-inserted': 'The seal of block {block} ({chain}) was inserted: the service makes no such seals',
  'trail-seal-changed': 'The seal of block {block} ({chain}) was changed',
  'trail-seal-expired-alone': 'The seal of block {block} ({chain}) is marked as expired while older blocks are not',
  'trail-seal-not-exported': 'The seal of block {block} ({chain}) is not the one that was exported',
  'trail-seal-gap':
    'The seal of block {block} ({chain}) does not follow: what was sealed between block {before} and it is missing or in another order',
  'trail-seal-no-beginning':
    'The seal of block {block} ({chain}) does not follow: the beginning of its chain is missing',
  'trail-block-missing': 'The seal of block {block} was removed: later blocks are there, and none of them has expired',
  'trail-expired-early':
    'Block {block} ({chain}) is marked as expired, but was sealed at {at} and is kept for {days|day|days}: its entries were removed. Unless the retention was raised since: then verify with the former one',
  'trail-exported-removed':
    'The seal of block {block} ({chain}) was removed: the chain begins at block {first}, but the exported seal of {at} has not expired',
  'trail-no-seals':
    'The end was cut off: the chain {chain} has no seals, the exported seal of {at} ends at block {block} with {entries|entry|entries}',
  'trail-cut-off':
    'The end was cut off: the chain {chain} ends at block {last} with {found|entry|entries}, the exported seal of {at} ends at block {block} with {entries|entry|entries}',
  'trail-adoption-changed':
    'The table audit_adoption was changed: entries without a digest would be taken over until {until}, which is not within a day of the first seal',

  'trail-taken-over':
    'Entries without a digest are taken over as they are found, up to {until}: {entries} of those that wait. This is so only after an update from a version without seals',
  'trail-late':
    'Entries that were sealed more than an hour after the time they name: {entries}, the first of them {first}; from before the seals, after an outage of the database, or dated back',
} as const;
