import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSigningCommands } from '../../../src/adapters/credentials/signing-commands.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { ServiceStopping } from '../../../src/application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { Timers } from '../../../src/application/ports/platform.ts';
import { edb } from '../../engines/samples.ts';
import { temporaryFolder, until } from '../../support/process.ts';

const OWNER = { tenant: edb('4030026000018'), serialNumber: 'A1B2' };
const DIGEST_INFO = Buffer.from('digest info');
const PLENTY_MS = 60_000;
const NEVER = new AbortController().signal;

/** Commands made of one script, and what was told of their changes. */
function commandsOf(
  script: string,
  { timers = systemTimers, timeoutMs = PLENTY_MS, environment = {}, cutOff = NEVER } = {},
) {
  const file = join(temporaryFolder(), 'sign');
  writeFileSync(file, `#!/bin/bash\n${script}\n`);
  chmodSync(file, 0o700);
  const told: string[] = [];
  const commands = createSigningCommands({
    timers,
    random: systemRandom,
    commands: {
      TOKEN: { program: file, arguments: ['first', 'two words'] },
      GONE: { program: '/nowhere/sign', arguments: [] },
    },
    environment: { PATH: process.env['PATH'] ?? '', ...environment },
    timeoutMs,
    cutOff,
    onChange: (name, cause) => told.push(`${name}: ${cause}`),
  });
  return { ...commands, told, file };
}

async function failureOf(signing: Promise<unknown>): Promise<string> {
  const [outcome] = await Promise.allSettled([signing]);
  const reason: unknown = outcome.status === 'rejected' ? outcome.reason : assert.fail('It signed.');
  assert.ok(reason instanceof AuthorityCallError);
  assert.deepEqual([reason.kind, reason.isUncertain], ['signing', false]);
  return reason.message;
}

describe('a signing command', () => {
  test('gets one line and its own environment, and its line is the signature', async () => {
    const { sign } = commandsOf(
      'read -r line; printf "%s|%s|%s|%s|%s|%s" "$line" "$1" "$2" "$SIGNER_TENANT" "$SIGNER_SERIAL_NUMBER" "$CREDENTIALS_KEY" | base64 -w0; echo',
    );
    const signature = Buffer.from(await sign('TOKEN', OWNER, DIGEST_INFO)).toString();
    assert.equal(signature, `${DIGEST_INFO.toString('base64')}|first|two words|4030026000018|A1B2|`);
  });

  test('that fails is told with its last words, and never the environment', async () => {
    const { sign } = commandsOf('echo "no token in slot 0" >&2; exit 3', { environment: { SIGNER_PIN: '1234567' } });
    const message = await failureOf(sign('TOKEN', OWNER, DIGEST_INFO));
    assert.equal(message, 'The signing command TOKEN did not sign: it ended with 3: no token in slot 0');
  });

  const wrongAnswers: Readonly<Record<string, readonly [script: string, message: RegExp]>> = {
    nothing: ['true', /did not answer with one line of base64/u],
    'two lines': ['echo AAAA; echo BBBB', /did not answer with one line of base64/u],
    'something else than base64': ['echo "Enter PIN:"', /did not answer with one line of base64/u],
    'without end': ['yes AAAA', /wrote more than a signature/u],
  };
  for (const [what, [script, message]] of Object.entries(wrongAnswers)) {
    test(`that answers ${what} has not signed`, async () => {
      assert.match(await failureOf(commandsOf(script).sign('TOKEN', OWNER, DIGEST_INFO)), message);
    });
  }

  test('that is not there, or not configured, has not signed', async () => {
    const { sign } = commandsOf('true');
    assert.match(await failureOf(sign('GONE', OWNER, DIGEST_INFO)), /could not be started .*ENOENT/u);
    assert.match(await failureOf(sign('OTHER', OWNER, DIGEST_INFO)), /SIGNING_COMMAND has none of this name/u);
    assert.match(await failureOf(sign('toString', OWNER, DIGEST_INFO)), /SIGNING_COMMAND has none of this name/u);
  });

  test('that does not end in time is ended, with what it has started', async () => {
    const pids = join(temporaryFolder(), 'pids');
    // The limit of its turn, which it has had, and that of the command.
    const limits: (() => void)[] = [];
    const timers: Timers = {
      ...systemTimers,
      after(ms, run, options) {
        if (ms !== 2_000) return systemTimers.after(ms, run, options);
        limits.push(run);
        return { cancel: () => undefined };
      },
    };
    const { sign } = commandsOf(`sleep 1000 & echo "$$ $!" > ${pids}.new; mv ${pids}.new ${pids}; wait`, {
      timers,
      timeoutMs: 2_000,
    });
    const failure = failureOf(sign('TOKEN', OWNER, DIGEST_INFO));
    await until('what it has started', () => existsSync(pids));
    for (const reach of limits) reach();
    assert.match(await failure, /it took more than 2000 ms/u);
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) {
      await until(`process ${pid} has ended`, async () => hasEnded(Number(pid)));
    }
  });

  test('is ended by a stop that waits no longer, and is not told as one that fails; nor is one that waits for its turn', async () => {
    const stop = new AbortController();
    const pid = join(temporaryFolder(), 'pid');
    const { sign, told } = commandsOf(`echo $$ > ${pid}.new; mv ${pid}.new ${pid}; sleep 1000`, {
      cutOff: stop.signal,
    });
    const signing = [sign('TOKEN', OWNER, DIGEST_INFO), sign('TOKEN', OWNER, DIGEST_INFO)];
    await until('it runs', () => existsSync(pid));
    stop.abort();
    signing.push(sign('TOKEN', OWNER, DIGEST_INFO));
    for (const one of signing) await assert.rejects(one, ServiceStopping);
    assert.deepEqual(told, []);
    await until('it has ended', async () => hasEnded(Number(readFileSync(pid, 'utf8'))));
  });

  const openPipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;

  test('that leaves a process behind has signed, or not, when it ends itself, and no pipe stays open', async (t) => {
    const pids = join(temporaryFolder(), 'pids');
    t.after(() => {
      for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    });
    const before = openPipes();
    const agent = `setsid sleep 1000 & echo $! >> ${pids}`;
    const { sign } = commandsOf(`${agent}; echo AAAA`);
    assert.deepEqual([...(await sign('TOKEN', OWNER, DIGEST_INFO))], [0, 0, 0]);
    assert.match(await failureOf(commandsOf(`${agent}; exit 3`).sign('TOKEN', OWNER, DIGEST_INFO)), /it ended with 3/u);
    const hanging = commandsOf(`${agent}; sleep 1000`, { timeoutMs: 200 });
    assert.match(await failureOf(hanging.sign('TOKEN', OWNER, DIGEST_INFO)), /it took more than 200 ms/u);
    await until('the pipes closed', () => openPipes() <= before);
  });

  test('is told once when it begins to fail, when the cause changes, and when it works again', async () => {
    const state = join(temporaryFolder(), 'state');
    const { sign, told } = commandsOf(
      `case $(cat ${state}) in 0) echo AAAA;; *) echo "at $RANDOM" >&2; exit $(cat ${state});; esac`,
    );
    for (const code of ['0', '1', '1', '2', '2', '0', '0']) {
      writeFileSync(state, code);
      await sign('TOKEN', OWNER, DIGEST_INFO).catch(() => undefined);
    }
    assert.deepEqual(
      told.map((line) => line.replace(/: at \d+$/u, '')),
      ['TOKEN: it ended with 1', 'TOKEN: it ended with 2', 'TOKEN: null'],
    );
  });

  test('that says that another try does harm is not started again, nor are others before it has ended', async () => {
    const started = join(temporaryFolder(), 'started');
    const { sign, told } = commandsOf(`echo x >> ${started}; echo "CKR_PIN_INCORRECT" >&2; exit 3`);
    const outcomes = Array.from({ length: 5 }, () => failureOf(sign('TOKEN', OWNER, DIGEST_INFO)));
    for (const message of await Promise.all(outcomes)) assert.match(message, /it ended with 3: CKR_PIN_INCORRECT/u);
    assert.match(await failureOf(sign('TOKEN', OWNER, DIGEST_INFO)), /it is not started again before the service is/u);
    assert.equal(readFileSync(started, 'utf8'), 'x\n');
    assert.equal(told.length, 1);
  });

  test('that serves several tokens says that of one taxpayer alone, and signs for the others', async () => {
    const started = join(temporaryFolder(), 'started');
    const beta = { ...OWNER, tenant: edb('4030026000026') };
    const { sign, told } = commandsOf(
      `if [ "$SIGNER_TENANT" = ${beta.tenant} ]; then echo x >> ${started}; echo "wrong PIN" >&2; exit 4; fi; echo AAAA`,
    );
    await sign('TOKEN', OWNER, DIGEST_INFO);
    const outcomes = Array.from({ length: 4 }, () => failureOf(sign('TOKEN', beta, DIGEST_INFO)));
    for (const message of await Promise.all(outcomes)) assert.match(message, /it ended with 4: wrong PIN/u);
    assert.equal(readFileSync(started, 'utf8'), 'x\n', 'one at a time, also where it has signed for others');
    await sign('TOKEN', OWNER, DIGEST_INFO);
    assert.match(await failureOf(sign('TOKEN', beta, DIGEST_INFO)), /not started again for this taxpayer/u);
    assert.deepEqual(told, [`TOKEN for ${beta.tenant}: it ended with 4: wrong PIN`]);
  });

  test('signs for several at once, once it has signed', async (t) => {
    let arrived = -1;
    const waiting: (() => void)[] = [];
    const server = createServer((_request, answer) => {
      arrived += 1;
      if (arrived === 0) return void answer.end('AAAA\n');
      waiting.push(() => answer.end('AAAA\n'));
      // All four are at it at the same time, or none ever gets an answer.
      if (arrived === 4) for (const go of waiting) go();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { sign } = commandsOf(
      `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3`,
    );
    await sign('TOKEN', OWNER, DIGEST_INFO);
    const all = await Promise.all(Array.from({ length: 4 }, () => sign('TOKEN', OWNER, DIGEST_INFO)));
    assert.equal(all.length, 4);
  });
});

/** A process that has ended and was not waited for yet still has its number. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
