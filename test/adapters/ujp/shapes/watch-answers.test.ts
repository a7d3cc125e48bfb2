import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareShape } from '../../../../src/adapters/ujp/shapes/compare-shape.ts';
import { SERVICE_SHAPES, shapeOf } from '../../../../src/adapters/ujp/shapes/service-shapes.ts';
import { watchAnswers } from '../../../../src/adapters/ujp/shapes/watch-answers.ts';
import { fc } from '../../../support/seeds.ts';

const answer = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

function watch() {
  const told: string[] = [];
  const counted: string[] = [];
  const see = watchAnswers({
    onAnswer: (service) => counted.push(service),
    onFirst: (service, deviation) => told.push(`${service} ${deviation.kind} ${deviation.path}`),
  });
  return { see, told, counted };
}

describe('answers in operation', () => {
  test('that deviate are counted each, and told once for each service and kind', () => {
    const { see, told, counted } = watch();
    const time = { path: 'server-time' };
    for (let turn = 0; turn < 3; turn += 1) {
      see(time, answer({ timestamp: '15.11.2026' }));
      see(time, answer({ time: '2026-11-15T10:00:00' }));
      see({ path: 'companies/4030026000018' }, answer('<html>'));
    }
    assert.deepEqual(told, [
      'server-time format timestamp',
      'server-time missing timestamp',
      'companies/{edb} content ',
    ]);
    const times = (name: string) => counted.filter((service) => service === name).length;
    assert.deepEqual([times('server-time'), times('companies/{edb}'), counted.length], [6, 3, 9]);
  });

  test('that are as expected, that report errors, or that an outage gave, are not told', () => {
    const { see, counted } = watch();
    see({ path: 'server-time' }, answer({ timestamp: '2026-11-15T10:00:00', added: 1 }));
    see({ path: 'currency' }, answer({ success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No' } }));
    see({ path: 'sales-invoices/send' }, answer({ code: 'E1020', message: 'Totals' }));
    see({ path: 'currency' }, answer('<html>502</html>', 502));
    see({ path: 'a/service/of/tomorrow' }, answer('?'));
    assert.deepEqual(counted, []);
  });

  test('can be anything: nothing makes the watch fail', () => {
    const { see } = watch();
    const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
    see({ path: 'currency' }, answer(`{"errorStatus":{"errorCode":"E5000","more":${deep}}}`));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(SERVICE_SHAPES)), fc.jsonValue(), (path, value) => {
        see({ path }, answer(JSON.stringify(value)));
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(SERVICE_SHAPES)), fc.uint8Array(), (path, bytes) => {
        see({ path }, { status: 200, contentType: null, bytes });
      }),
    );
  });
});

test('what was found is one short line, whatever it is', () => {
  const shape = shapeOf('server-time');
  assert.ok(shape !== 'zip');
  fc.assert(
    fc.property(fc.anything({ values: [fc.string(), fc.integer(), fc.constant('\u001b[2J\n')] }), (timestamp) => {
      for (const { found } of compareShape(shape, { timestamp }).deviations) {
        assert.ok(found.length <= 100);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
        assert.doesNotMatch(found, /[\u0000-\u001f\u007f-\u009f]/u);
      }
    }),
  );
});
