import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { ConversionWarning } from '../../domain/documents/conversion-warning.ts';
import { LATEST_DOC_UID } from '../../domain/documents/doc-uid.ts';
import { renderDetail } from '../../domain/messages/detail.ts';
import { message, type Sentence } from '../../domain/messages/message.ts';
import { render } from '../../domain/messages/render.ts';
import type { Caller } from '../accounts/caller.ts';
import { failureOf } from '../delivery/delivery-failure.ts';
import { findDuplicate } from '../delivery/duplicate-number.ts';
import type { Failure } from '../errors/failure-catalogue.ts';
import { type ErrorCode, PROBLEM_CATALOGUE } from '../errors/problem-catalogue.ts';
import { typesWithoutReferences } from '../outbound/reference-refusals.ts';
import { type Authority, AuthorityCallError } from '../ports/authority.ts';
import type { DocumentFinding, DocumentInspection, DocumentReader } from '../ports/document-reader.ts';
import { NoTurnInTime } from '../ports/pace.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { DryRun, DryRunResult } from '../ports/validation/dry-run.ts';
import { LOOK_UPS_UNFINISHED, outcomeOf, type Validation, type ValidationFinding } from './validation.ts';

type Needs = {
  readonly storage: Pick<Storage, 'deliveries' | 'referenceRefusals'>;
  readonly reader: Pick<DocumentReader, 'inspect' | 'linesOf'>;
  readonly dryRun: DryRun;
  readonly authority: Pick<Authority, 'interpret'>;
  readonly clock: Clock;
};

export type ValidateDocument = {
  /** Checks the document as a submission is checked. This is what it costs this machine. */
  readonly inspect: (caller: Caller, bytes: Uint8Array) => Promise<DocumentInspection>;
  /** Goes on as delivery would, up to the moment of sending. This may wait for the authority. */
  readonly judge: (caller: Caller, bytes: Uint8Array, inspection: DocumentInspection) => Promise<Validation>;
};

/** Says what would become of a document, by the checks of a submission and the preparation of a delivery; stores nothing. */
export function validateDocument(needs: Needs): ValidateDocument {
  const { storage, reader, dryRun, authority, clock } = needs;

  async function prepare(tenant: Tenant, inspection: DocumentInspection): Promise<Prepared> {
    const { facts, content } = inspection;
    if (facts === null || content === null) return { failures: [], unknown: null, result: null };
    const document = { docUid: LATEST_DOC_UID, kind: facts.kind, documentNumber: facts.documentNumber };
    const duplicate = await findDuplicate(storage, { tenant, document });
    const failures = duplicate === null ? [] : [duplicate];
    try {
      const refusedOn = await typesWithoutReferences(storage, tenant, clock.now());
      const result = await dryRun(
        tenant,
        content,
        (references) => storage.deliveries.findAccepted(tenant.edb, references),
        refusedOn,
      );
      return { failures, unknown: null, result };
    } catch (error) {
      if (!(error instanceof AuthorityCallError)) throw error;
      return {
        failures,
        unknown: error instanceof NoTurnInTime ? NOT_IN_TIME : failureOf(authority, error),
        result: null,
      };
    }
  }

  async function withLines(
    { edb }: Tenant,
    bytes: Uint8Array,
    findings: readonly ValidationFinding[],
  ): Promise<readonly ValidationFinding[]> {
    const paths = findings.flatMap(({ path, line }) => (path === null || line !== null ? [] : path));
    if (paths.length === 0) return findings;
    const lines = await reader.linesOf(edb, bytes, paths);
    const byPath = new Map(paths.map((path, index) => [path, lines[index] ?? null]));
    return findings.map((finding) => ({ ...finding, line: finding.line ?? byPath.get(finding.path ?? '') ?? null }));
  }

  return {
    inspect: ({ tenant }, bytes) => reader.inspect(tenant.edb, bytes),
    async judge({ tenant }, bytes, inspection) {
      const refusals = refusalFindings(tenant, inspection);
      const prepared = await prepare(tenant, inspection);
      const others = await withLines(tenant, bytes, preparedFindings(tenant, prepared));
      const findings = [...refusals, ...others];
      const outcome = outcomeOf(findings);
      return { outcome, findings, preview: outcome === 'accepted' ? (prepared.result?.preview ?? null) : null };
    },
  };
}

type Prepared = {
  readonly failures: readonly Failure[];
  /** Why the authority could not be asked. */
  readonly unknown: { readonly code: string; readonly sentences: readonly Sentence[] } | null;
  readonly result: DryRunResult | null;
};

const NOT_IN_TIME = { code: LOOK_UPS_UNFINISHED, sentences: [message('look-ups-unfinished')] };

function refusalFindings(tenant: Tenant, { refusals }: DocumentInspection): readonly ValidationFinding[] {
  const disabled = tenant.outboundEnabled ? [] : [{ code: 'ERR-9001', findings: [OUTBOUND_DISABLED] } as const];
  return [...disabled, ...refusals].flatMap(({ code, findings }) =>
    findings.map((one) => refusalFinding(tenant, code, one)),
  );
}

const OUTBOUND_DISABLED: DocumentFinding = { line: null, path: null, said: message('outbound-disabled') };

function refusalFinding(
  { language }: Tenant,
  code: ErrorCode,
  { line, path, said }: DocumentFinding,
): ValidationFinding {
  const text = renderDetail(language, [{ place: null, said }]);
  return { severity: 'error', code, httpStatus: PROBLEM_CATALOGUE[code].status, path, line, message: text };
}

function preparedFindings(tenant: Tenant, { failures, unknown, result }: Prepared): readonly ValidationFinding[] {
  const { failures: converting = [], warnings = [] } = result ?? {};
  return [
    ...failures.map(({ code, sentences }) => spoken(tenant, 'failure', code, sentences)),
    ...converting.map(({ failureCode, sentence }) => spoken(tenant, 'failure', failureCode, [sentence])),
    ...(unknown === null
      ? []
      : [spoken(tenant, 'unknown', unknown.code, [message('not-judged'), ...unknown.sentences])]),
    ...warnings.map((warning) => warningFinding(tenant, warning)),
  ];
}

function spoken(
  { language }: Tenant,
  severity: 'failure' | 'unknown' | 'warning',
  code: string,
  sentences: readonly Sentence[],
): ValidationFinding {
  const path = sentences.find((sentence) => sentence.path !== undefined)?.path ?? null;
  return { severity, code, httpStatus: null, path, line: null, message: render(language, sentences) };
}

function warningFinding(tenant: Tenant, { code, text, path, sentence }: ConversionWarning): ValidationFinding {
  if (sentence !== undefined) return { ...spoken(tenant, 'warning', code, [sentence]), path };
  return { severity: 'warning', code, httpStatus: null, path, line: null, message: text };
}
