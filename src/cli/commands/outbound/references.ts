import { type Command, onePositional } from '../../command.ts';
import { table } from '../../table.ts';
import { readEnvironmentValue, showInstant } from '../../values.ts';

export const referencesRefused: Command = {
  name: 'references refused',
  summary:
    'Lists the document types that are sent without references for some days, because the authority refused them.',
  positionals: '',
  options: {},
  async run({ referenceRefusals }) {
    const refusals = await referenceRefusals.list();
    const json = refusals.map(({ refusedAt, until, ...refusal }) => ({
      ...refusal,
      refusedAt: showInstant(refusedAt),
      until: showInstant(until),
    }));
    const rows = json.map((one) => [one.environment, one.docTypeCode, one.refusedAt, one.until, one.reason]);
    const text =
      rows.length === 0 ? 'There are none.' : table(['ENVIRONMENT', 'TYPE', 'REFUSED', 'UNTIL', 'REASON'], rows);
    return { text, json };
  },
};

export const referencesClear: Command = {
  name: 'references clear',
  summary: 'Has documents of a type sent with their references again.',
  positionals: '<document type>',
  options: { environment: { value: 'test|production', help: 'The installation of the authority. Default: test.' } },
  async run({ referenceRefusals }, given) {
    const environment = readEnvironmentValue(given.option('environment')) ?? 'test';
    const docTypeCode = onePositional(given, 'document type');
    await referenceRefusals.clear(environment, docTypeCode);
    return {
      text: `Documents of type ${docTypeCode} are sent with their references again.`,
      json: { environment, docTypeCode },
    };
  },
};
