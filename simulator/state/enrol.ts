import { readFileSync } from 'node:fs';
import { type CompanyInput, completeCompany } from './company.ts';
import type { State } from './state.ts';

const FIXTURES = new URL('./fixture-companies.json', import.meta.url);

/** The companies that every simulator knows, unless its state file says something newer about them. */
export function enrolFixtures(state: State): void {
  const companies = JSON.parse(readFileSync(FIXTURES, 'utf8')) as readonly CompanyInput[];
  enrolCompanies(
    state,
    companies.filter(({ taxNumber }) => state.registry.company(taxNumber) === undefined),
  );
}

/** Adds companies with their users, or replaces what is known of them. All or none. */
export function enrolCompanies(state: State, inputs: readonly CompanyInput[]): void {
  const companies = inputs.map((input) => ({ company: completeCompany(input), users: input.users ?? [] }));
  for (const { company, users } of companies) {
    state.record({ kind: 'company', company });
    for (const eujpId of users) state.record({ kind: 'user', user: { eujpId, edb: company.taxNumber } });
  }
}
