import { hash } from 'node:crypto';
import type { Random } from '../../../src/application/ports/platform.ts';
import { seededRandom } from '../../support/seeds.ts';

/** Every decision of a history that is left to chance. */
export type Chance = {
  /** From 0 inclusive to 1 exclusive. */
  readonly fraction: () => number;
  /** A whole number from `least` to `most`, both inclusive. */
  readonly whole: (least: number, most: number) => number;
  readonly happens: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Short mostly and long sometimes: each power of two between the two is equally likely. */
  readonly span: (least: number, most: number) => number;
  /** A generator of its own for one subject: what is decided there does not shift what is decided elsewhere. */
  readonly of: (subject: string) => Chance;
  /** The same as the port that the program takes its random bytes from. */
  readonly random: Random;
};

export function chanceOf(seed: string): Chance {
  const fraction = seededRandom(hash('sha256', seed, 'buffer').readInt32BE(0));
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    happens: (probability) => fraction() < probability,
    pick<Item>(items: readonly Item[]) {
      return items[whole(0, items.length - 1)] as Item;
    },
    span: (least, most) => Math.round(least * (most / least) ** fraction()),
    of: (subject) => chanceOf(`${seed}/${subject}`),
    random: {
      bytes(count) {
        const words = new Uint32Array(Math.ceil(count / 4));
        for (let at = 0; at < words.length; at += 1) words[at] = Math.floor(fraction() * 2 ** 32);
        return new Uint8Array(words.buffer, 0, count);
      },
    },
  };
}
