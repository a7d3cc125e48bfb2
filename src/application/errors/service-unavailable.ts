/** The service cannot do this at the moment; nothing was changed, and the same call may succeed in a few seconds. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}
