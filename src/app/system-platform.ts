import { systemClock, systemRandom } from '../adapters/platform/platform.ts';
import { systemTimers } from '../adapters/platform/timers.ts';
import type { Platform } from '../application/ports/platform.ts';

/** Time and randomness of this machine; a test may put others in their place. */
export const systemPlatform: Platform = { clock: systemClock, timers: systemTimers, random: systemRandom };
