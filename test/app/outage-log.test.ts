import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { createOutageLog } from '../../src/app/states/outage-log.ts';
import { databaseFailureText } from '../../src/application/errors/commit-unknown.ts';
import { ServiceStopping, ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../src/application/ports/authority.ts';
import type { Timers } from '../../src/application/ports/platform.ts';

function outages() {
  const lines: string[] = [];
  const state = { isUsable: false, looks: 0, running: 0 };
  let tick: () => void = () => undefined;
  const timers = {
    every(_ms: number, work: () => void) {
      tick = work;
      state.running += 1;
      return {
        cancel() {
          state.running -= 1;
        },
      };
    },
  } as unknown as Timers;
  const outageLog = createOutageLog({
    log: pino({ base: {} }, { write: (line: string) => lines.push(line) }),
    timers,
    engine: {
      async transaction<Result>(): Promise<Result> {
        state.looks += 1;
        if (!state.isUsable) throw new ServiceUnavailable('The database does not answer.');
        return undefined as Result;
      },
    },
  });
  async function look(): Promise<void> {
    tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    ...outageLog,
    state,
    look,
    said: () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

test('work that a stop of the service interrupts is no outage of the database', () => {
  const { databaseFailed, state, said } = outages();
  databaseFailed(new ServiceStopping());
  assert.deepEqual([said(), state.running], [[], 0]);
});

test('an outage of the database is one line when it begins and one when it ends, without a stack', async () => {
  const { databaseFailed, state, look, said } = outages();
  const failure = new ServiceUnavailable('The database does not answer.', { cause: new Error('ECONNREFUSED') });
  for (let attempt = 0; attempt < 100; attempt += 1) databaseFailed(failure);
  await look();
  await look();
  const [line, ...more] = said();
  assert.deepEqual(more, []);
  assert.deepEqual([line?.['reason'], line?.['cause']], ['The database does not answer.', 'ECONNREFUSED']);
  assert.ok(!JSON.stringify(line).includes('at '), 'no stack');
  state.isUsable = true;
  await look();
  assert.deepEqual(
    said().map(({ msg }) => msg),
    ['the database can be used again'],
  );
  assert.deepEqual([state.running, state.looks], [0, 3]);
  databaseFailed(failure);
  assert.equal(said().length, 1, 'the next outage is told again');
  state.isUsable = false;
  await look();
  assert.deepEqual(said(), [], 'what was written before an outage does not end it');
});

test('a server whose name has several addresses, none of which answers, is told with what each of them said', async () => {
  const { databaseFailed, said } = outages();
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ];
  const socket = connect({ host: 'db.internal', port: 1, lookup: (_name, _options, found) => found(null, addresses) });
  const [cause] = (await once(socket, 'error')) as [Error];
  assert.equal(cause.message, '');
  const failure = new ServiceUnavailable('The database does not answer.', { cause });
  databaseFailed(failure);
  const refused = 'connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1';
  assert.equal(said()[0]?.['cause'], refused);
  assert.equal(databaseFailureText(failure), `The database does not answer. ${refused}`);
});

test('a stop ends the looks', async () => {
  const { databaseFailed, stop, state, look, said } = outages();
  databaseFailed(new ServiceUnavailable('x'));
  stop();
  assert.equal(state.running, 0);
  state.isUsable = true;
  await look();
  assert.equal(said().length, 1, 'nothing is said after the stop');
});

test('an outage of the authority is told after three failures in a row, for each installation, and its end', () => {
  const { authorityCalled, said } = outages();
  const away = new AuthorityCallError('No answer.', { kind: 'timeout' });
  const refusal = new AuthorityCallError('No.', { kind: 'refused' });
  for (const failure of [away, away, refusal, away, away]) authorityCalled('test', failure);
  assert.deepEqual(said(), [], 'an answer came in between');
  for (let attempt = 0; attempt < 50; attempt += 1) authorityCalled('test', away);
  authorityCalled('production', null);
  assert.deepEqual(
    said().map(({ environment, msg }) => [environment, msg]),
    [['test', 'the authority does not answer; documents wait for it']],
  );
  authorityCalled('test', null);
  authorityCalled('test', null);
  assert.deepEqual(
    said().map(({ environment, msg }) => [environment, msg]),
    [['test', 'the authority answers again']],
  );
});
