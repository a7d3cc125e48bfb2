import { ServiceUnavailable } from './service-unavailable.ts';

/**
 * The process is stopping: what waited was interrupted before it changed anything, and another process can do it at once. What is on record
 * as sent may have arrived, and another process looks it up.
 */
export class ServiceStopping extends ServiceUnavailable {
  constructor() {
    super('The service is stopping.');
  }
}
