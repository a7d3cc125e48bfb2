import { hash, randomBytes } from 'node:crypto';
import type { Chance, Clock, Hasher } from '../../application/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemChance: Chance = { bytes: (count) => randomBytes(count) };

export const systemHasher: Hasher = { sha256: (content) => hash('sha256', content, 'buffer') };
