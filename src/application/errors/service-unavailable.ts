/** A dependency (the database) cannot serve now. Nothing was changed, and the same call may succeed in a few seconds. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}
