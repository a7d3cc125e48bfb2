import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions, USAGE } from '../../bench/options.ts';
import { stagesOf } from '../../bench/scenarios/stages.ts';
import { SETTINGS } from '../../bench/settings.ts';

const namesOf = (mode: keyof typeof SETTINGS) => stagesOf(SETTINGS[mode]).flatMap(({ names }) => names);

test('--help is asked for with or without other options, and its text names all of them', () => {
  assert.equal(readOptions(['--help']), null);
  assert.equal(readOptions(['--quick', '-h']), null);
  for (const [, name = ''] of USAGE.matchAll(/^ {2}(--[a-z-]+)/gmu)) {
    const value = name === '--only' || name === '--json' ? ['x'] : [];
    assert.doesNotThrow(() => readOptions([name, ...value]), name);
  }
  assert.throws(() => readOptions(['--fast']), /--fast/u);
  assert.throws(() => readOptions(['--quick', '--large']), /exclude/u);
});

test('a scenario has one name, and --only finds it without regard to case', () => {
  for (const mode of ['quick', 'full', 'large'] as const) {
    const names = namesOf(mode);
    assert.equal(new Set(names).size, names.length);
  }
  const isWanted = readOptions(['--only', 'ping.*sqlite'])?.isWanted ?? (() => false);
  assert.ok(namesOf('quick').some(isWanted));
  assert.ok(
    namesOf('quick')
      .filter(isWanted)
      .every((name) => /^ping.*SQLite/u.test(name)),
  );
});

test('both engines are measured by the same scenarios', () => {
  const names = namesOf('full');
  const of = (engine: string) =>
    names.filter((name) => name.endsWith(engine)).map((name) => name.slice(0, -engine.length));
  assert.ok(of('SQLite').length > 20);
  assert.deepEqual(of('SQLite'), of('PostgreSQL'));
});
