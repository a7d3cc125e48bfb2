export type TenantChange = 'environment' | 'outbound-off';

/** The operator has changed the tenant since the call was let in, so that what it brings is not stored. */
export class TenantChanged extends Error {
  override readonly name = 'TenantChanged';
  readonly change: TenantChange;

  constructor(change: TenantChange) {
    super('The taxpayer was changed by the operator meanwhile.');
    this.change = change;
  }
}

/** The environment of the tenant was changed while something was fetched from the former one: it is not stored in the present one. */
export class EnvironmentChanged extends Error {
  override readonly name = 'EnvironmentChanged';

  constructor() {
    super('The environment of the taxpayer was changed meanwhile.');
  }
}
