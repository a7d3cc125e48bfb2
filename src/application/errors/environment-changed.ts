/** The environment of the tenant was changed while something was fetched from the former one: it is not stored in the present one. */
export class EnvironmentChanged extends Error {
  override readonly name = 'EnvironmentChanged';

  constructor() {
    super('The environment of the taxpayer was changed meanwhile.');
  }
}
