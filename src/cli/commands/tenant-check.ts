import { findingText } from '../../domain/messages/finding-text.ts';
import { OPERATOR_LANGUAGE } from '../../domain/messages/languages.ts';
import { words } from '../../domain/messages/render.ts';
import { type Command, onePositional } from '../command.ts';
import { ACCOUNT_HINTS } from '../option-hints.ts';
import { table } from '../table.ts';

export const tenantCheck: Command = {
  name: 'tenant check',
  summary: "Checks whether a taxpayer's documents can be delivered, here and at the authority.",
  positionals: '<EDB>',
  options: {},
  async run({ tenants, checkAccount }, given) {
    const tenant = await tenants.find(onePositional(given, 'EDB'));
    const checks = (await checkAccount(tenant)).map(({ missing, what, detail, ...check }) => {
      const found = findingText(OPERATOR_LANGUAGE, detail);
      const hint = missing === undefined ? '' : ` ${ACCOUNT_HINTS[missing]}`;
      return { what: words(OPERATOR_LANGUAGE, what), ...check, detail: `${found}${hint}` };
    });
    const isOk = checks.every((check) => check.isOk);
    const rows = checks.map((check) => [
      check.isUntested ? 'NOT TESTED' : check.isOk ? 'OK' : 'FAILED',
      check.what,
      check.detail,
    ]);
    return {
      text: table(['RESULT', 'WHAT', 'DETAIL'], rows),
      json: { edb: tenant.edb, isOk, checks },
      isFailure: !isOk,
    };
  },
};
