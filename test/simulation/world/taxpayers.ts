import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';

/** Where the simulated authority seems to be; no connection is ever made. */
export const ORIGIN = 'http://authority.test';

export type Taxpayer = { readonly name: string; readonly edb: Edb; readonly eujpId: string; readonly secret: string };

/** Tenants that are companies of the simulator's register: they send to one another, so that each of them has arrivals. */
export const TAXPAYERS: readonly Taxpayer[] = [
  { name: 'alfa', edb: readEdb('4030026000018'), eujpId: 'demo-alfa', secret: 'demo-alfa' },
  { name: 'beta', edb: readEdb('4080026000023'), eujpId: 'demo-beta', secret: 'demo-beta' },
];
