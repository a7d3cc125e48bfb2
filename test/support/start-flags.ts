import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<'start' | 'dostava', string>>;
};

/** The flags of `npm start`, so that what is tested and measured is what runs. */
export const START_FLAGS = flagsOf(scripts.start);

export const DOSTAVA_FLAGS = flagsOf(scripts.dostava);

export function flagsOf(command: string): readonly string[] {
  return command.split(' ').filter((word) => word.startsWith('--'));
}
