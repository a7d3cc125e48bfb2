import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { ConfigError, readConfig, type Variables } from '../src/config.ts';

const MIB = 1_048_576;

const PRODUCTION: Variables = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://api.example.mk',
  DATA_DIR: '/var/lib/dostava',
  AUTHORITY_PRODUCTION_URL: 'https://authority.example.mk/einvoice_api',
  AUTHORITY_PRODUCTION_RECEIVER_URL: 'https://authority.example.mk/JSONReceiver',
  AUTHORITY_PRODUCTION_PORTAL_URL: 'https://portal.example.mk/',
  CREDENTIALS_KEY: 'QWsWuZSOkKc3eFloLbk0MRpTkKUpv734GT9Sn8awtEo=',
};

const TEST_INSTALLATION: Variables = {
  AUTHORITY_TEST_URL: 'https://test.example.mk/einvoice_api',
  AUTHORITY_TEST_RECEIVER_URL: 'https://test.example.mk/JSONReceiver',
  AUTHORITY_TEST_PORTAL_URL: 'https://test.example.mk',
};

function simulatedUrls(port: number) {
  const portal = `http://127.0.0.1:${port}`;
  return { query: `${portal}/einvoice_api`, receiver: `${portal}/JSONReceiver`, portal };
}

/** The names of the variables that are complained about, one per line. */
function wrongNames(variables: Variables): readonly string[] {
  const error = thrownBy(variables);
  return error.errors.map((line) => line.split(':')[0] ?? '');
}

function thrownBy(variables: Variables): ConfigError {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  return assert.fail('the configuration was accepted');
}

describe('without any configuration', () => {
  test('the demo environment runs on loopback with the promised defaults', () => {
    assert.deepEqual(readConfig({}), {
      environment: 'demo',
      role: 'all',
      host: '127.0.0.1',
      port: 8080,
      opsHost: '127.0.0.1',
      opsPort: 8081,
      simulatorPort: 8090,
      tracesUrl: null,
      publicUrl: null,
      errorsUrl: null,
      dataDir: resolve('./data'),
      databaseUrl: null,
      databasePoolSize: 10,
      deliveryHoldSeconds: 20,
      leaseSeconds: 60,
      maxDocumentBytes: 10 * MIB,
      readingThreads: availableParallelism(),
      trustedProxies: [],
      connections: {
        maxConnections: 2_048,
        maxConnectionsPerAddress: 256,
        headersTimeoutSeconds: 15,
        requestTimeoutSeconds: 60,
        idleTimeoutSeconds: 72,
      },
      maxSubmissionWaitMs: 1_000,
      clockLimits: { authoritySeconds: 300, databaseSeconds: 30 },
      logLevel: 'warn',
      authorityUrls: { test: simulatedUrls(8090), production: simulatedUrls(8091) },
      authorityPaceMs: 1_050,
      authorityTimeoutSeconds: 10,
      outcomeWindowSeconds: 15,
      collectSeconds: 10,
      collectQuietSeconds: 10,
      followSeconds: 10,
      auditRetentionDays: { recognised: 3_650, unrecognised: 30 },
      signing: { commands: {}, environment: {}, timeoutSeconds: 15 },
      pkcs12Password: null,
      credentialsKeys: null,
      archiveDir: null,
    });
  });

  test('a variable that is empty or blank counts as not set', () => {
    const blank = {
      PORT: '',
      HOST: ' ',
      DATA_DIR: '\t',
      TRUST_PROXY: ' ',
      ENVIRONMENT: '',
      LOG_LEVEL: ' ',
      DATABASE_URL: '',
      CREDENTIALS_KEY: ' ',
      AUTHORITY_PACE_MS: '',
    };
    assert.deepEqual(readConfig(blank), readConfig({}));
  });
});

describe('in production', () => {
  test('what is needed suffices: outward addresses as given, nothing held back, no simulated authority', () => {
    const config = readConfig(PRODUCTION);
    assert.equal(config.environment, 'production');
    assert.equal(config.publicUrl, 'https://api.example.mk');
    assert.equal(config.dataDir, '/var/lib/dostava');
    assert.equal(config.deliveryHoldSeconds, 0);
    assert.equal(config.logLevel, 'info');
    assert.deepEqual(config.authorityUrls, {
      test: null,
      production: {
        query: 'https://authority.example.mk/einvoice_api',
        receiver: 'https://authority.example.mk/JSONReceiver',
        portal: 'https://portal.example.mk',
      },
    });
    assert.deepEqual(config.credentialsKeys, [PRODUCTION['CREDENTIALS_KEY']]);
    const { authorityPaceMs, outcomeWindowSeconds, collectSeconds, collectQuietSeconds, followSeconds } = config;
    assert.deepEqual([authorityPaceMs, outcomeWindowSeconds], [1_050, 330]);
    assert.deepEqual([collectSeconds, collectQuietSeconds, followSeconds], [30, 900, 900]);
  });

  test('the test installation of the authority can be used beside, when all of it is said', () => {
    const { test: urls } = readConfig({ ...PRODUCTION, ...TEST_INSTALLATION }).authorityUrls;
    assert.deepEqual(Object.values(urls ?? {}), Object.values(TEST_INSTALLATION));
    for (const name of Object.keys(TEST_INSTALLATION)) {
      assert.deepEqual(wrongNames({ ...PRODUCTION, ...TEST_INSTALLATION, [name]: undefined }), [name]);
    }
  });

  test('an address of production is refused as one of the test installation: test documents would be real ones', () => {
    for (const name of Object.keys(TEST_INSTALLATION)) {
      const real = PRODUCTION[name.replace('TEST', 'PRODUCTION')] ?? assert.fail(name);
      for (const same of [real, `${real}//`, real.replace('example.mk', 'EXAMPLE.mk:443')]) {
        const error = thrownBy({ ...PRODUCTION, ...TEST_INSTALLATION, [name]: same });
        assert.deepEqual(error.errors, [
          `${name}: must not be that of production (${name.replace('TEST', 'PRODUCTION')}): test documents would become real ones`,
        ]);
      }
    }
  });

  test('folders must be absolute: commands given elsewhere would work on other ones', () => {
    for (const name of ['DATA_DIR', 'ARCHIVE_DIR']) {
      for (const relative of ['data', './data', '../data', '~/data']) {
        assert.deepEqual(wrongNames({ ...PRODUCTION, [name]: relative }), [name]);
      }
    }
    const DATABASE_URL = 'postgres://localhost/dostava';
    assert.equal(readConfig({ ...PRODUCTION, DATABASE_URL, DATA_DIR: 'unused' }).databaseUrl, DATABASE_URL);
  });

  test('everything that is missing is named at once', () => {
    assert.deepEqual(wrongNames({ ENVIRONMENT: 'production' }).toSorted(), [
      'AUTHORITY_PRODUCTION_PORTAL_URL',
      'AUTHORITY_PRODUCTION_RECEIVER_URL',
      'AUTHORITY_PRODUCTION_URL',
      'CREDENTIALS_KEY',
      'DATA_DIR',
      'PUBLIC_URL',
    ]);
  });

  test('a list of keys in which there is none is no key: what is left of a template whose variables are not set', () => {
    for (const given of [',', ' , ', ',,'])
      assert.match(thrownBy({ ...PRODUCTION, CREDENTIALS_KEY: given }).message, /- CREDENTIALS_KEY: missing/u);
  });

  test('an address of a database that cannot be read is told with what it may not have', () => {
    const places = ['x@db1:5432,db2:5432/dostava', 'a/b@db/dostava', 'a?b@db/dostava', 'a#b@db/dostava'];
    for (const place of places) {
      const variables = { ...PRODUCTION, DATA_DIR: undefined, DATABASE_URL: `postgres://dostava:${place}` };
      assert.throws(() => readConfig(variables), /DATABASE_URL: must be the address of one server.*# .* %23/u);
    }
    const encoded = 'postgres://dostava:a%2Fb%3Fc%23d@db/dostava';
    assert.equal(readConfig({ ...PRODUCTION, DATABASE_URL: encoded }).databaseUrl, encoded);
  });

  test('with a database of its own address no folder is needed', () => {
    for (const scheme of ['postgres', 'postgresql']) {
      const url = `${scheme}://dostava:s3cret@db.example.mk:6432/dostava?sslmode=verify-full`;
      const config = readConfig({ ...PRODUCTION, DATA_DIR: undefined, DATABASE_URL: url, DATABASE_POOL_SIZE: '40' });
      assert.deepEqual([config.databaseUrl, config.databasePoolSize], [url, 40]);
    }
    assert.deepEqual(wrongNames({ ...PRODUCTION, DATA_DIR: undefined, DATABASE_URL: 'db' }), ['DATABASE_URL']);
  });

  test('documents can be nearly as large on PostgreSQL as in the folder', () => {
    const limits = (bytes: number) => ({ DATABASE_URL: 'postgres://db/dostava', MAX_DOCUMENT_BYTES: String(bytes) });
    assert.equal(readConfig(limits(255 * MIB)).maxDocumentBytes, 255 * MIB);
    assert.deepEqual(wrongNames(limits(255 * MIB + 1)), ['MAX_DOCUMENT_BYTES']);
  });

  test('what is missing and what is wrong are named together, each once', () => {
    const names = wrongNames({
      ...PRODUCTION,
      PUBLIC_URL: undefined,
      PORT: 'x',
      AUTHORITY_PRODUCTION_URL: 'ftp://x',
      CREDENTIALS_KEY: 'short',
      LOG_LEVEL: 'loud',
    });
    const expected = ['AUTHORITY_PRODUCTION_URL', 'CREDENTIALS_KEY', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL'];
    assert.deepEqual(names.toSorted(), expected);
  });

  test('the message names every error on a line of its own', () => {
    const { message, errors } = thrownBy({ ENVIRONMENT: 'production' });
    assert.equal(message.split('\n').length, 1 + errors.length);
    for (const line of errors) assert.ok(message.includes(line));
  });
});

describe('in production what is unsafe is refused', () => {
  const ACCEPTED = { ALLOW_PLAIN_HTTP: 'i-know-that-others-can-read-and-change-it' };
  const urls = { ...PRODUCTION, ...TEST_INSTALLATION, ERRORS_URL: 'https://errors.example' };
  const names = Object.keys(urls).filter((name) => name.endsWith('URL'));

  test('a name and a password in an address that clients or the log are shown, each by its name', () => {
    for (const name of names) {
      assert.deepEqual(wrongNames({ ...urls, [name]: 'https://user:s3cret@host.example' }), [name]);
    }
  });

  test('addresses without TLS, each by its name, unless the risk is accepted in so many words', () => {
    assert.equal(names.length, 8);
    for (const name of names) {
      const plain = { ...urls, [name]: 'http://10.0.0.1/x' };
      assert.deepEqual(wrongNames(plain), [name]);
      assert.match(thrownBy(plain).message, /ALLOW_PLAIN_HTTP=i-know-that-others-can-read-and-change-it/u);
      assert.equal(readConfig({ ...plain, ...ACCEPTED }).environment, 'production');
      assert.deepEqual(wrongNames({ ...plain, ALLOW_PLAIN_HTTP: 'yes' }), ['ALLOW_PLAIN_HTTP']);
    }
  });

  test('TLS that takes anybody for the authority, unless the risk is accepted', () => {
    const unverified = { ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    assert.deepEqual(wrongNames(unverified), ['NODE_TLS_REJECT_UNAUTHORIZED']);
    assert.match(thrownBy(unverified).message, /NODE_EXTRA_CA_CERTS/u);
    assert.equal(readConfig({ ...unverified, ...ACCEPTED }).environment, 'production');
    assert.equal(readConfig({ ...unverified, NODE_TLS_REJECT_UNAUTHORIZED: '1' }).environment, 'production');
  });

  test('a time after which a lost answer counts as not registered that leaves no margin beside the authority’s own', () => {
    for (const seconds of ['1', '300', '309']) {
      assert.deepEqual(wrongNames({ ...PRODUCTION, OUTCOME_WINDOW_SECONDS: seconds }), ['OUTCOME_WINDOW_SECONDS']);
    }
    assert.equal(readConfig({ ...PRODUCTION, OUTCOME_WINDOW_SECONDS: '310' }).outcomeWindowSeconds, 310);
    assert.equal(readConfig({ OUTCOME_WINDOW_SECONDS: '1' }).outcomeWindowSeconds, 1);
  });

  test('a pace that the authority does not allow', () => {
    for (const pace of ['0', '999']) {
      assert.deepEqual(wrongNames({ ...PRODUCTION, AUTHORITY_PACE_MS: pace }), ['AUTHORITY_PACE_MS']);
    }
    assert.equal(readConfig({ ...PRODUCTION, AUTHORITY_PACE_MS: '1000' }).authorityPaceMs, 1_000);
    const accepted = { ALLOW_ANY_PACE: 'i-know-that-the-authority-refuses-faster-requests' };
    assert.equal(readConfig({ ...PRODUCTION, ...accepted, AUTHORITY_PACE_MS: '0' }).authorityPaceMs, 0);
    assert.deepEqual(wrongNames({ ...PRODUCTION, ALLOW_ANY_PACE: 'yes' }), ['ALLOW_ANY_PACE']);
  });

  test('proxies among whom callers may be, unless the risk is accepted in so many words', () => {
    const accepted = { ALLOW_ANY_PROXY: 'i-know-that-callers-can-choose-their-address' };
    for (const list of [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.1, 0.0.0.0/1',
      '128.0.0.0/7',
      '8.0.0.0/8 9.0.0.0/9',
      '2000::/3',
      '::ffff:0:0/96',
    ]) {
      const strangers = { ...PRODUCTION, TRUST_PROXY: list };
      assert.deepEqual(wrongNames(strangers), ['TRUST_PROXY'], list);
      assert.match(thrownBy(strangers).message, /ALLOW_ANY_PROXY=i-know-that-callers-can-choose-their-address/u);
      assert.equal(readConfig({ ...strangers, ...accepted }).environment, 'production');
      assert.deepEqual(wrongNames({ ...strangers, ALLOW_ANY_PROXY: 'yes' }).includes('ALLOW_ANY_PROXY'), true);
    }
    for (const list of ['10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7', '8.0.0.0/8', '192.0.2.1, 2001:db8::/32']) {
      assert.equal(readConfig({ ...PRODUCTION, TRUST_PROXY: list }).environment, 'production', list);
    }
    assert.deepEqual(readConfig({ TRUST_PROXY: '0.0.0.0/0' }).trustedProxies, ['0.0.0.0/0'], 'the demo may');
  });

  const GUESSABLE: Readonly<Record<string, Buffer | string>> = {
    zeros: Buffer.alloc(32),
    'one byte, repeated': Buffer.alloc(32, 7),
    'ascending bytes': Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
    'descending bytes': Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index)),
    'steps of seven': Buffer.from(Array.from({ length: 32 }, (_, index) => (3 + index * 7) % 256)),
    'ascending bytes with an odd one': Buffer.from([...Array.from({ length: 31 }, (_, index) => index), 255]),
    'ascending bytes with six odd ones': Buffer.from(
      Array.from({ length: 32 }, (_, index) => (index % 6 === 5 ? (index * 83) % 256 : index)),
    ),
    'two progressions, interwoven': Buffer.from(
      Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? index * 3 : 251 - index * 5)),
    ),
    squares: Buffer.from(Array.from({ length: 32 }, (_, index) => (index * index) % 256)),
    'words with odd bytes': Buffer.from('a secret key of \x80hirty-two \xffytes', 'latin1'),
    'words of a manual': Buffer.from('a secret key of thirty-two bytes'),
    'hexadecimal digits': Buffer.from('0123456789abcdef0123456789abcdef'),
    'half a key, twice': Buffer.from('q83vEjRWeJq83uDxAhMkNavN7xI0VniavN7g8QITJDU=', 'base64'),
    'words in place of base64': 'dostava/dostava/secret/key/for/production12=',
    'capitals in place of base64': 'THEKEYTHATSEALSTHEPRIVATEKEYSOFALLTAXPAYERS',
  };
  for (const [name, key] of Object.entries(GUESSABLE)) {
    test(`a sealing key that is easy to guess: ${name}`, () => {
      const given = typeof key === 'string' ? key : key.toString('base64');
      assert.deepEqual(wrongNames({ ...PRODUCTION, CREDENTIALS_KEY: given }), ['CREDENTIALS_KEY']);
      assert.doesNotMatch(
        thrownBy({ ...PRODUCTION, CREDENTIALS_KEY: given }).message,
        new RegExp(given.slice(0, 20), 'u'),
      );
      assert.deepEqual(readConfig({ CREDENTIALS_KEY: given }).credentialsKeys, [given], 'the demo may have it');
    });
  }

  test('but a former key that was easy to guess may still open what it sealed', () => {
    const given = `${PRODUCTION['CREDENTIALS_KEY']},${Buffer.alloc(32).toString('base64')}`;
    assert.equal(readConfig({ ...PRODUCTION, CREDENTIALS_KEY: given }).credentialsKeys?.length, 2);
  });

  test('random keys are taken', () => {
    for (let count = 0; count < 2_000; count += 1) {
      readConfig({
        ...PRODUCTION,
        CREDENTIALS_KEY: randomBytes(32).toString(count % 2 === 0 ? 'base64' : 'base64url'),
      });
    }
  });
});

test('the demo listens beyond loopback only when it is told that everybody may call it', () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'demo.example.mk', 'localhost.example.mk', '127.0.0.1.nip.io']) {
    assert.deepEqual(wrongNames({ HOST: host }), ['DEMO_PUBLIC'], host);
    assert.equal(readConfig({ HOST: host, DEMO_PUBLIC: 'yes' }).host, host);
    assert.deepEqual(wrongNames({ OPS_HOST: host }), ['DEMO_PUBLIC'], host);
    assert.equal(readConfig({ OPS_HOST: host, DEMO_PUBLIC: 'yes' }).opsHost, host);
    assert.equal(readConfig({ ...PRODUCTION, HOST: host }).host, host, 'production has no published keys');
  }
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
    assert.equal(readConfig({ HOST: host }).host, host);
});

describe('a wrong value is named', () => {
  const wrong: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['ENVIRONMENT', ['staging', 'Production', 'demo,production']],
    ['DEMO_PUBLIC', ['true', 'no', '1']],
    ['ROLE', ['both', 'API', 'api,worker']],
    ['PORT', ['-1', '65536', '80.5', '8e3', '0x50', 'http']],
    ['OPS_PORT', ['-1', '65536', 'x']],
    ['SIMULATOR_PORT', ['65535', 'x']],
    [
      'PUBLIC_URL',
      [
        'api.example.mk',
        'ftp://api.example.mk',
        'http://',
        'https://a b',
        'javascript:alert(1)',
        'https://a/?b=c',
        'https://a?',
        'https://a/b/#c',
        'https://user:s3cret@a',
        'https://user@a',
        'https://:s3cret@a',
      ],
    ],
    ['ERRORS_URL', ['/errors', 'mailto:x@example.mk', 'https://inv.example/errors?code=', 'https://user:s3cret@a']],
    ['DELIVERY_HOLD_SECONDS', ['-1', '1.5', '86401', 'soon']],
    ['LEASE_SECONDS', ['0', '1.5', '3601', 'short']],
    ['MAX_DOCUMENT_BYTES', ['0', '-5', '10MiB', String(256 * MIB + 1)]],
    ['MAX_SUBMISSION_WAIT_MS', ['0', '49', '60001', 'long']],
    ['READING_THREADS', ['0', '65', 'two', '1.5']],
    ['HEADERS_TIMEOUT_SECONDS', ['0', '3601', '1.5']],
    ['REQUEST_TIMEOUT_SECONDS', ['0', '3601', 'x']],
    ['IDLE_TIMEOUT_SECONDS', ['0', '3601', 'x']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    [
      'TRUST_PROXY',
      [
        'true',
        'proxy.local',
        '10.0.0.0/33',
        '10.0.0.0/',
        '10.0.0.0/8/9',
        '10.0.0.1;10.0.0.2',
        '::/129',
        'fe80::1%eth0',
      ],
    ],
    ['DATABASE_URL', ['db.local', 'mysql://db/dostava', 'http://db/dostava', 'postgres:db', 'postgres://a b/dostava']],
    ['DATABASE_POOL_SIZE', ['0', '-1', '1001', 'many']],
    ...['TEST', 'PRODUCTION'].flatMap((installation) =>
      ['URL', 'RECEIVER_URL', 'PORTAL_URL'].map(
        (part) => [`AUTHORITY_${installation}_${part}`, ['https://authority.example.mk']] as const,
      ),
    ),
    ['AUTHORITY_PACE_MS', ['-1', '1.5', '60001', 'fast']],
    ['OUTCOME_WINDOW_SECONDS', ['0', '86401', 'x']],
    ['MAX_AUTHORITY_CLOCK_OFFSET_SECONDS', ['4', '86401', 'x']],
    ['MAX_DATABASE_CLOCK_OFFSET_SECONDS', ['0', '86401', 'x']],
    ['COLLECT_SECONDS', ['0', '86401', 'x']],
    ['COLLECT_QUIET_SECONDS', ['0', '86401', 'x']],
    ['AUDIT_RETENTION_DAYS', ['0', '36501', 'x']],
    ['AUDIT_RETENTION_DAYS_UNRECOGNISED', ['0', '36501', '1.5']],
    ['FOLLOW_SECONDS', ['0', '86401', 'x']],
    ['CREDENTIALS_KEY', ['secret', 'A'.repeat(42), 'A'.repeat(45), `${'A'.repeat(43)}=,short`]],
  ];
  for (const [name, values] of wrong) {
    for (const value of values) {
      test(`${name}=${value}: once`, () => assert.deepEqual(wrongNames({ [name]: value }), [name]));
    }
  }

  test('but its value is never repeated: it may be a secret', () => {
    const names = wrong.map(([name]) => name);
    const { message, errors } = thrownBy(Object.fromEntries(names.map((name) => [name, 'ftp://user:s3cret@host'])));
    assert.ok(new Set(errors).size >= names.length);
    assert.doesNotMatch(message, /s3cret|user|host/);
  });
});

describe('the interface and the operations', () => {
  const same = { PORT: '9000', OPS_PORT: '9000' };

  test('cannot listen on one port of one address', () => {
    for (const given of [{ ...same }, { PORT: '8081' }, { OPS_PORT: '8080' }, { ...same, ROLE: 'api' }]) {
      for (const environment of [{}, PRODUCTION]) {
        const { errors } = thrownBy({ ...environment, ...given });
        assert.match(errors.join(), /^OPS_PORT: must be another port than PORT, on which the interface listens$/u);
      }
    }
    for (const [HOST, OPS_HOST] of [
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.1', '::'],
      ['192.0.2.1', '192.0.2.1'],
      ['127.0.0.1', 'localhost'],
    ]) {
      assert.deepEqual(wrongNames({ ...PRODUCTION, ...same, HOST, OPS_HOST }), ['OPS_PORT']);
    }
  });

  test('can on two addresses, on any free ports, or where the process serves no interface', () => {
    const others = [
      { ...same, HOST: '192.0.2.1' },
      { PORT: '0', OPS_PORT: '0' },
      { ...same, ROLE: 'worker' },
    ];
    for (const given of others) assert.equal(readConfig({ ...PRODUCTION, ...given }).port, Number(given.PORT));
  });
});

describe('a right value is taken', () => {
  test('numbers at their limits', () => {
    const config = readConfig({
      PORT: '0',
      OPS_PORT: '65535',
      MAX_DOCUMENT_BYTES: String(256 * MIB),
      DELIVERY_HOLD_SECONDS: '0',
    });
    assert.deepEqual(
      [config.port, config.opsPort, config.maxDocumentBytes, config.deliveryHoldSeconds],
      [0, 65_535, 256 * MIB, 0],
    );
  });

  test('a process can be the interface alone, the worker alone, or both', () => {
    for (const role of ['api', 'worker', 'all']) assert.equal(readConfig({ ...PRODUCTION, ROLE: role }).role, role);
  });

  test('the collector of traces with a name and a password: nobody else is shown its address', () => {
    const withPassword = (name: string) => readConfig({ [name]: 'https://user:s3cret@collector.example' }).tracesUrl;
    const whole = 'https://user:s3cret@collector.example';
    assert.equal(withPassword('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), whole);
    assert.equal(withPassword('OTEL_EXPORTER_OTLP_ENDPOINT'), `${whole}/v1/traces`);
  });

  test('addresses without the slashes at their end', () => {
    const config = readConfig({
      PUBLIC_URL: ' https://api.example.mk/base// ',
      ERRORS_URL: 'https://docs.example.mk/errors/',
    });
    assert.deepEqual(
      [config.publicUrl, config.errorsUrl],
      ['https://api.example.mk/base', 'https://docs.example.mk/errors'],
    );
  });

  test('a folder becomes absolute, so that it does not depend on where the program goes', () => {
    assert.ok(isAbsolute(readConfig({ DATA_DIR: 'somewhere/else' }).dataDir));
    assert.equal(readConfig({ ARCHIVE_DIR: 'archive' }).archiveDir, resolve('archive'));
  });

  test('the simulator listens where it is told, its second installation one above', () => {
    assert.deepEqual(readConfig({ SIMULATOR_PORT: '9000' }).authorityUrls, {
      test: simulatedUrls(9000),
      production: simulatedUrls(9001),
    });
  });

  test('several keys seal and open, in their order, with or without the sign at their end', () => {
    const [fresh, old] = [Buffer.alloc(32, 1), Buffer.alloc(32, 0xff)];
    const given = `${fresh.toString('base64')}, ${old.toString('base64url')}`;
    const { credentialsKeys } = readConfig({ CREDENTIALS_KEY: given });
    assert.deepEqual(credentialsKeys, [fresh.toString('base64'), old.toString('base64url')]);
  });

  test('the pace can be set to none', () => {
    assert.equal(readConfig({ AUTHORITY_PACE_MS: '0' }).authorityPaceMs, 0);
  });

  test('trusted proxies: addresses and ranges of both families, by commas or blanks', () => {
    const given = '10.0.0.0/8, 192.0.2.1 2001:db8::/32,::1';
    assert.deepEqual(readConfig({ TRUST_PROXY: given }).trustedProxies, [
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
      '::1',
    ]);
  });

  test('without trusted proxies none is trusted', () => assert.deepEqual(readConfig(PRODUCTION).trustedProxies, []));
});

test('the time for headers is part of the time for a request: shorter by default, and refused when it is longer', () => {
  const times = (variables: Readonly<Record<string, string>>) => {
    const { headersTimeoutSeconds, requestTimeoutSeconds } = readConfig(variables).connections;
    return [headersTimeoutSeconds, requestTimeoutSeconds];
  };
  assert.deepEqual(times({ REQUEST_TIMEOUT_SECONDS: '10' }), [10, 10]);
  assert.deepEqual(times({ REQUEST_TIMEOUT_SECONDS: '20' }), [15, 20]);
  assert.deepEqual(times({ HEADERS_TIMEOUT_SECONDS: '60' }), [60, 60]);
  assert.deepEqual(times({ HEADERS_TIMEOUT_SECONDS: '3600', REQUEST_TIMEOUT_SECONDS: '3600' }), [3_600, 3_600]);
  for (const wrong of [
    { HEADERS_TIMEOUT_SECONDS: '61' },
    { HEADERS_TIMEOUT_SECONDS: '3', REQUEST_TIMEOUT_SECONDS: '1' },
  ]) {
    assert.deepEqual(wrongNames(wrong), ['HEADERS_TIMEOUT_SECONDS']);
  }
});

test('the configuration cannot be changed afterwards, in no part of it', () => {
  for (const config of [readConfig({ TRUST_PROXY: '10.0.0.1' }), readConfig({ ...PRODUCTION, ...TEST_INSTALLATION })]) {
    assert.ok(Object.isFrozen(config));
    assert.ok(Object.isFrozen(config.authorityUrls), 'the addresses of the authority');
    for (const urls of Object.values(config.authorityUrls)) assert.ok(Object.isFrozen(urls));
    assert.ok(Object.isFrozen(config.credentialsKeys), 'the keys');
    assert.ok(Object.isFrozen(config.trustedProxies), 'the trusted proxies');
  }
});

test('the environment of the process is read when nothing else is given', () => {
  const before = process.env['LOG_LEVEL'];
  process.env['LOG_LEVEL'] = 'trace';
  try {
    assert.equal(readConfig().logLevel, 'trace');
  } finally {
    if (before === undefined) delete process.env['LOG_LEVEL'];
    else process.env['LOG_LEVEL'] = before;
  }
});

describe('signing commands', () => {
  test('are a program and its arguments, split at blanks or given as a list', () => {
    const { signing } = readConfig({
      SIGNING_COMMAND_TOKEN: ' /opt/sign  --slot 0 ',
      SIGNING_COMMAND_HSM_2: '["/opt/sign", "two words", ""]',
      SIGNING_TIMEOUT_SECONDS: '3',
    });
    assert.deepEqual(signing.commands, {
      TOKEN: { program: '/opt/sign', arguments: ['--slot', '0'] },
      HSM_2: { program: '/opt/sign', arguments: ['two words', ''] },
    });
    assert.equal(signing.timeoutSeconds, 3);
  });

  test('get nothing of the environment but what is meant for them', () => {
    const meant = { PATH: '/bin', HOME: '/root', SIGNER_PIN: '1234' };
    const { signing } = readConfig({ ...PRODUCTION, ...meant, PKCS12_PASSWORD: 'x', SIGNING_COMMAND_A: '/a' });
    assert.deepEqual(signing.environment, meant);
  });

  test('that are no absolute path, or have a name that cannot be one, are refused by name', () => {
    const wrong = {
      SIGNING_COMMAND_RELATIVE: 'sign --slot 0',
      SIGNING_COMMAND_LIST: '["/opt/sign", 1]',
      SIGNING_COMMAND_BROKEN: '["/opt/sign"',
      SIGNING_COMMAND_lower: '/opt/sign',
      SIGNING_COMMAND_: '/opt/sign',
    };
    assert.deepEqual(wrongNames(wrong).toSorted(), Object.keys(wrong).toSorted());
  });
});
