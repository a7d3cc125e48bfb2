/** A dependency (the database) cannot serve now. Nothing was changed, and the same call may succeed in a few seconds. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}

/**
 * The process is stopping: what waited was interrupted before it changed anything, and another process can do it at once. What is on record
 * as sent may have arrived, and another process looks it up.
 */
export class ServiceStopping extends ServiceUnavailable {
  constructor() {
    super('The service is stopping.');
  }
}
