import { readFileSync } from 'node:fs';
import { type CompanyInput, completeCompany } from './company.ts';
import type { State } from './state.ts';

const FIXTURES = new URL('./fixture-companies.json', import.meta.url);

/** Adds the fixture companies, except those that are in the state file already: their data there may be newer. */
export function addFixtureCompanies(state: State): void {
  const companies = JSON.parse(readFileSync(FIXTURES, 'utf8')) as readonly CompanyInput[];
  addCompanies(
    state,
    companies.filter(({ taxNumber }) => state.registry.company(taxNumber) === undefined),
  );
}

/** Adds companies with their users, or replaces their data. If one input is invalid, none is added. */
export function addCompanies(state: State, inputs: readonly CompanyInput[]): void {
  const companies = inputs.map((input) => ({ company: completeCompany(input), users: input.users ?? [] }));
  for (const { company, users } of companies) {
    state.record({ kind: 'company', company });
    for (const eujpId of users) state.record({ kind: 'user', user: { eujpId, edb: company.taxNumber } });
  }
}
