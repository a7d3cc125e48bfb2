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
