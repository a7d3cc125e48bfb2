import type { ChainHead } from '../../application/audit/seal-audit-trail.ts';
import { trailRemarks } from '../../application/audit/trail-remarks.ts';
import type { TrailCheck } from '../../application/audit/verify-audit-trail.ts';
import { AUDIT_CHAINS } from '../../domain/audit/audit-seal.ts';
import { counted } from '../../domain/messages/message.ts';
import { inEnglish } from '../../domain/messages/render.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { type Command, UsageError } from '../command.ts';
import { progressLines } from '../progress-lines.ts';
import { readWholeFile } from '../read-whole-file.ts';
import { table } from '../table.ts';

export const auditSeal: Command = {
  name: 'audit seal',
  summary: 'Seals the audit trail and prints the last seals as one line, to be kept elsewhere.',
  positionals: '',
  options: {},
  async run({ sealAudit }) {
    const json = { seals: await sealAudit() };
    return { text: JSON.stringify(json), json };
  },
};

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Checks that no entry of the audit trail was changed, removed or inserted; names the first that was.',
  positionals: '',
  options: {
    seal: { value: 'file or text', help: 'What "audit seal" printed earlier: the trail must reach at least as far.' },
  },
  async run({ timers, verifyAudit }, given, report) {
    const exported = await readSeals(given.option('seal'));
    const show = progressLines(report, timers);
    const check = await verifyAudit(exported, (done, total) =>
      show({ act: 'verifying', what: 'audit trail', done, total, unit: 'entries' }),
    );
    return { text: checkText(check), json: { ...check, break: saidBreak(check) }, isFailure: !check.isIntact };
  },
};

function saidBreak({ break: found }: TrailCheck) {
  if (found === null) return null;
  const { said, ...where } = found;
  return { ...where, message: inEnglish(said) };
}

function checkText(check: TrailCheck): string {
  const { isIntact, entries, blocks, waiting, chains } = check;
  if (!isIntact) return `The audit trail is NOT intact. ${saidBreak(check)?.message}`;
  const rows = chains.map(({ chain, block, total, expired, sealedAt }) => [
    chain,
    block,
    total,
    expired,
    formatInstant(sealedAt),
  ]);
  return [
    `${counted(entries, 'entry', 'entries')} in ${counted(blocks, 'block')} ${entries === 1 ? 'is as it was' : 'are as they were'} sealed; ${counted(waiting, 'is', 'are')} not sealed yet.`,
    ...trailRemarks(check).map((remark) => inEnglish(remark)),
    ...(rows.length === 0 ? [] : ['', table(['CHAIN', 'LAST BLOCK', 'ENTRIES', 'EXPIRED', 'SEALED'], rows)]),
  ].join('\n');
}

async function readSeals(given: string | null): Promise<readonly ChainHead[]> {
  if (given === null) return [];
  const text = given.trim().startsWith('{') ? given : new TextDecoder().decode(await readWholeFile(given));
  const seals = parseJson(text)?.seals;
  if (!Array.isArray(seals) || !seals.every(isHead)) {
    throw new UsageError('--seal must be what "dostava audit seal" printed, or a file that holds it.');
  }
  return seals;
}

function parseJson(text: string): { readonly seals?: unknown } | null {
  try {
    return JSON.parse(text) as { readonly seals?: unknown } | null;
  } catch {
    return null;
  }
}

function isHead(value: unknown): value is ChainHead {
  if (typeof value !== 'object' || value === null) return false;
  const { chain, block, sealedAt, total, hash } = value as Readonly<Record<string, unknown>>;
  return (
    AUDIT_CHAINS.some((known) => known === chain) &&
    [block, sealedAt, total].every(Number.isSafeInteger) &&
    typeof hash === 'string'
  );
}
