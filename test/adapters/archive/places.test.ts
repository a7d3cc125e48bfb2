import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces } from '../../../src/adapters/archive/places.ts';
import { ServiceUnavailable } from '../../../src/application/errors/service-unavailable.ts';

const NEVER = 2_000_000_000;

test('only so many run at once, in the order of arrival, and a failure frees its place', async () => {
  const places = createPlaces(2, NEVER);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = works.map(({ promise }, index) =>
    places.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  works[0]?.reject(new Error('damaged'));
  await assert.rejects(results[0] ?? assert.fail(), /damaged/u);
  works[1]?.resolve(1);
  assert.equal(await results[1], 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (const [index, work] of works.entries()) work.resolve(index);
  assert.deepEqual(await Promise.all(results.slice(1)), [1, 2, 3, 4]);
});

test('whoever waits too long for a place or for a result is told so; what hangs keeps its place until it ends', async () => {
  const places = createPlaces(1, 20);
  const hanging = Promise.withResolvers<string>();
  const [first, second] = [places.run(() => hanging.promise), places.run(async () => 'second')];
  await assert.rejects(first, ServiceUnavailable);
  await assert.rejects(second, ServiceUnavailable);
  await assert.rejects(
    places.run(async () => 'third'),
    ServiceUnavailable,
  );
  hanging.resolve('late');
  await hanging.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await places.run(async () => 'fourth'), 'fourth');
});
