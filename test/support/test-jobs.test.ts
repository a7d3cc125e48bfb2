import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { inOrder, jobsFor } from '../../scripts/test-runner/test-jobs.ts';

test('every test file is in one job, and in one of each engine where it runs on both', () => {
  const every = globSync('test/**/*.test.ts').toSorted();
  const jobs = inOrder(jobsFor(['SQLite', 'PostgreSQL'], []));
  const filesOf = (wanted: string) => jobs.filter(({ lane }) => lane === wanted).flatMap(({ files }) => files);
  assert.deepEqual(filesOf('SQLite').toSorted(), every);
  const onPostgres = filesOf('PostgreSQL');
  assert.ok(onPostgres.length > 0);
  assert.equal(new Set(onPostgres).size, onPostgres.length);
  assert.deepEqual(
    onPostgres.filter((file) => !every.includes(file)),
    [],
  );
});

test('files that are asked for by name run each in a process of its own', () => {
  const files = globSync('test/support/*.test.ts').toSorted();
  assert.deepEqual(
    jobsFor(['SQLite'], ['test/support/*.test.ts']),
    files.map((file) => ({ lane: 'SQLite', files: [file] })),
  );
});
