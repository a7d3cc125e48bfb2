import assert from 'node:assert/strict';
import { isAbsolute, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { ConfigError, readConfig, type Variables } from '../src/config.ts';

const MIB = 1_048_576;

const PRODUCTION: Variables = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://api.example.mk',
  DATA_DIR: '/var/lib/dostava',
  AUTHORITY_PRODUCTION_URL: 'https://authority.example.mk/einvoice_api',
};

/** The names of the variables that are complained about, one per complaint. */
function faultyNames(variables: Variables): readonly string[] {
  const error = thrownBy(variables);
  return error.faults.map((fault) => fault.split(':')[0] ?? '');
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
      host: '127.0.0.1',
      port: 8080,
      opsPort: 8081,
      simulatorPort: 8090,
      publicUrl: null,
      errorsUrl: null,
      dataDir: resolve('./data'),
      deliveryHoldSeconds: 20,
      maxDocumentBytes: 10 * MIB,
      trustedProxies: [],
      logLevel: 'warn',
      authorityUrls: {
        test: 'http://127.0.0.1:8090/einvoice_api',
        production: 'http://127.0.0.1:8091/einvoice_api',
      },
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
    assert.deepEqual(config.authorityUrls, { test: null, production: 'https://authority.example.mk/einvoice_api' });
  });

  test('everything that is missing is named at once', () => {
    assert.deepEqual(faultyNames({ ENVIRONMENT: 'production' }).toSorted(), [
      'AUTHORITY_PRODUCTION_URL',
      'DATA_DIR',
      'PUBLIC_URL',
    ]);
  });

  test('what is missing and what is wrong are named together, each once', () => {
    const names = faultyNames({
      ...PRODUCTION,
      PUBLIC_URL: undefined,
      PORT: 'x',
      AUTHORITY_TEST_URL: 'ftp://x',
      LOG_LEVEL: 'loud',
    });
    assert.deepEqual(names.toSorted(), ['AUTHORITY_TEST_URL', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL']);
  });

  test('the message names every fault on a line of its own', () => {
    const { message, faults } = thrownBy({ ENVIRONMENT: 'production' });
    assert.equal(message.split('\n').length, 1 + faults.length);
    for (const fault of faults) assert.ok(message.includes(fault));
  });
});

describe('a wrong value is named', () => {
  const wrong: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['ENVIRONMENT', ['staging', 'Production', 'demo,production']],
    ['PORT', ['-1', '65536', '80.5', '8e3', '0x50', 'http']],
    ['OPS_PORT', ['-1', '65536', 'x']],
    ['SIMULATOR_PORT', ['65535', 'x']],
    ['PUBLIC_URL', ['api.example.mk', 'ftp://api.example.mk', 'http://', 'https://a b', 'javascript:alert(1)']],
    ['ERRORS_URL', ['/errors', 'mailto:x@example.mk']],
    ['DELIVERY_HOLD_SECONDS', ['-1', '1.5', '86401', 'soon']],
    ['MAX_DOCUMENT_BYTES', ['0', '-5', '10MiB', String(256 * MIB + 1)]],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['TRUST_PROXY', ['true', 'proxy.local', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/9', '10.0.0.1;10.0.0.2', '::/129']],
    ['DATABASE_URL', ['postgres://user:password@db/dostava']],
    ['AUTHORITY_TEST_URL', ['https://authority.example.mk']],
    ['AUTHORITY_PRODUCTION_URL', ['https://authority.example.mk']],
  ];
  for (const [name, values] of wrong) {
    for (const value of values) {
      test(`${name}=${value}: once`, () => assert.deepEqual(faultyNames({ [name]: value }), [name]));
    }
  }

  test('but its value is never repeated: it may be a secret', () => {
    const names = wrong.map(([name]) => name);
    const { message, faults } = thrownBy(Object.fromEntries(names.map((name) => [name, 'ftp://user:s3cret@host'])));
    assert.ok(new Set(faults).size >= names.length);
    assert.doesNotMatch(message, /s3cret|user|host/);
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
  });

  test('the simulator listens where it is told, its second installation one above', () => {
    assert.deepEqual(readConfig({ SIMULATOR_PORT: '9000' }).authorityUrls, {
      test: 'http://127.0.0.1:9000/einvoice_api',
      production: 'http://127.0.0.1:9001/einvoice_api',
    });
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

test('the configuration cannot be changed afterwards, in no part of it', () => {
  for (const config of [readConfig({ TRUST_PROXY: '10.0.0.1' }), readConfig(PRODUCTION)]) {
    assert.ok(Object.isFrozen(config));
    assert.ok(Object.isFrozen(config.authorityUrls), 'the addresses of the authority');
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
