import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedVariable } from '../../src/config/variable-catalogue.ts';
import { projectFile, sourceFiles } from './source-files.ts';

const SOURCE = sourceFiles(['src'], '.ts')
  .map(({ text }) => text)
  .join('\n');
const OPERATING = projectFile('docs/operating.md');
/** Records also tell of what was before; the page of the conversion has codes of the authority that look like variables. */
const PAGES = [
  { path: 'README.md', text: projectFile('README.md') },
  ...sourceFiles(['docs', 'deploy'], '.md').filter(
    ({ path }) => !path.startsWith('docs/decisions/') && path !== 'docs/guides/conversion.md',
  ),
];

/** No settings of the service: read by Node, by the exporter of OpenTelemetry, and by most programs that print colours. */
const OF_OTHERS = new Set([
  ...['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NO_COLOR'],
  ...['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_USE_ENV_PROXY'],
  ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_SERVICE_NAME'],
]);

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
}

/** The names that match in a page and are not known, with the page. */
function unknownNames(pattern: RegExp, isKnown: (name: string) => boolean): readonly string[] {
  return PAGES.flatMap(({ path, text }) =>
    namesIn(text, pattern)
      .filter((name) => !isKnown(name))
      .map((name) => `${path}: ${name}`),
  );
}

test('docs/operating.md names every metric of the service, and no document another', () => {
  const metrics = namesIn(SOURCE, /'(dostava_[a-z_]+)'/gu);
  const named = /\b(dostava_[a-z_]+[a-z])\b/gu;
  assert.deepEqual(namesIn(OPERATING, named), metrics);
  assert.deepEqual(
    unknownNames(named, (name) => metrics.includes(name)),
    [],
  );
});

test('every variable that a document names is one of the service', () => {
  const named = /`([A-Z]+_[A-Z_]+[A-Z])(?:=[^`]*)?`/gu;
  assert.ok(namesIn(OPERATING, named).length >= 40);
  assert.deepEqual(
    unknownNames(named, (name) => describedVariable(name) !== null || OF_OTHERS.has(name)),
    [],
  );
});

test('the log has the messages that docs/operating.md quotes from it', () => {
  const quoted = namesIn(OPERATING.replaceAll(/\s+/gu, ' '), /`((?!dostava )[a-z]+(?:[;:,]? [a-z]+){2,})`/gu);
  assert.ok(quoted.length >= 15, `${quoted.length} messages`);
  assert.deepEqual(
    quoted.filter((message) => !SOURCE.includes(message)),
    [],
  );
});

/** Those of 1.0.0 are older than any version that one could return to. */
const MIGRATIONS_OF_FIRST_RELEASE = 4;

test('the changelog names every migration: who rolls back looks there for whether the tables were changed', () => {
  const changes = projectFile('CHANGELOG.md').replaceAll(/\s+/gu, ' ');
  const named = [...changes.matchAll(/migrations? (\d+(?:(?:, | and )\d+)*)/giu)].flatMap(([, numbers = '']) =>
    numbers.split(/\D+/u).map(Number),
  );
  const migrations = sourceFiles(['src/adapters/sql/migrations'], '.sql').map(({ path }) =>
    Number(/(\d+)-[^/]+$/u.exec(path)?.[1]),
  );
  assert.ok(migrations.length > MIGRATIONS_OF_FIRST_RELEASE);
  const unnamed = migrations.filter((number) => number > MIGRATIONS_OF_FIRST_RELEASE && !named.includes(number));
  assert.deepEqual(unnamed, []);
});
