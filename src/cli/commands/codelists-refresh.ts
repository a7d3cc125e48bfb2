import { OperatorError } from '../../application/errors/operator-error.ts';
import { CODE_LIST_TYPES, isCodeListType } from '../../domain/values/code-list.ts';
import { type Command, UsageError } from '../command.ts';
import { progressLines } from '../progress-lines.ts';
import { table } from '../table.ts';
import { readEnvironmentValue } from '../values.ts';

export const codelistsRefresh: Command = {
  name: 'codelists refresh',
  summary: 'Reads code lists from the authority now, in the name of a tenant of the environment.',
  positionals: '',
  options: {
    environment: { value: 'test|production', help: 'The installation of the authority. Default: test.' },
    type: { value: 'type', help: 'Only this list; may be repeated. Default: all eleven.' },
  },
  async run({ tenants, refreshCodeList, timers }, given, report) {
    const environment = readEnvironmentValue(given.option('environment')) ?? 'test';
    const wanted = given.options('type');
    const unknown = wanted.find((type) => !isCodeListType(type));
    if (unknown !== undefined) throw new UsageError(`--type must be one of ${CODE_LIST_TYPES.join(', ')}.`);
    const types = wanted.length === 0 ? CODE_LIST_TYPES : wanted.filter(isCodeListType);
    const caller = (await tenants.list()).find(
      (tenant) => tenant.environment === environment && tenant.eujpId !== null,
    );
    if (caller === undefined) {
      throw new OperatorError(
        'refused',
        `No tenant of the environment ${environment} has an EUJP-ID to call the authority with.`,
      );
    }
    const rows: { readonly type: string; readonly entries: number }[] = [];
    const show = progressLines(report, timers);
    const total = types.length;
    for (const type of types) {
      rows.push({ type, entries: (await refreshCodeList(caller, type)).entries.length });
      if (total > 1) show({ act: 'reading', what: 'code lists', done: rows.length, total, unit: 'lists' });
    }
    return {
      text: table(
        ['LIST', 'ENTRIES'],
        rows.map(({ type, entries }) => [type, entries]),
      ),
      json: { environment, lists: rows },
    };
  },
};
