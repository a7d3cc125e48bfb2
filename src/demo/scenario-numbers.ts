import { EXAMPLE_CODE, SCENARIO_PREFIX, SCENARIOS, scenarioOf } from '../../simulator/faults/scenario.ts';
import type { ContentCode, DocumentReader } from '../application/ports/document-reader.ts';
import { renderDetail } from '../domain/messages/detail.ts';
import { OPERATOR_LANGUAGE } from '../domain/messages/languages.ts';
import { type Message, message } from '../domain/messages/message.ts';
import { shortText } from '../domain/values/one-line-text.ts';

const CODE: ContentCode = 'ERR-2002';
const PATH = 'cbc:ID';
const MOST_SHOWN = 60;

/** A reader that refuses misspelt test scenarios, which would be delivered like any document and rehearse nothing. */
export function refusingUnknownScenarios(reader: DocumentReader): DocumentReader {
  return {
    ...reader,
    async read(tenant, bytes) {
      const reading = await reader.read(tenant, bytes);
      const said = reading.outcome === 'document' ? unknownScenario(reading.facts.documentNumber) : null;
      if (said === null) return reading;
      const findings = [{ place: null, said }];
      return { outcome: 'refused', code: CODE, findings, detail: renderDetail(OPERATOR_LANGUAGE, findings) };
    },
    async inspect(tenant, bytes) {
      const inspection = await reader.inspect(tenant, bytes);
      const said = unknownScenario(inspection.facts?.documentNumber ?? null);
      if (said === null) return inspection;
      const refusal = { code: CODE, findings: [{ line: null, path: PATH, said }] };
      return { ...inspection, refusals: [...inspection.refusals, refusal], content: null };
    },
  };
}

function unknownScenario(number: string | null): Message | null {
  if (number === null || !number.startsWith(SCENARIO_PREFIX) || scenarioOf(number).kind !== 'none') return null;
  return message('scenario-unknown', {
    number: shortText(number, MOST_SHOWN),
    scenarios: SCENARIOS.join(', '),
    example: EXAMPLE_CODE,
  });
}
