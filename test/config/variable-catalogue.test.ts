import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { ALL_VARIABLES, describedVariable } from '../../src/config/variable-catalogue.ts';
import { ConfigError, readConfig, readMisspelt, type Variables } from '../../src/config.ts';
import { projectFile, sourceFiles } from '../consistency/source-files.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';

const PRODUCTION: Variables = { ...PRODUCTION_VARIABLES, DATA_DIR: '/var/lib/dostava' };
const POSTGRES: Variables = { ...PRODUCTION_VARIABLES, DATABASE_URL: 'postgres://db/dostava' };

/** Every name that the configuration asks for. */
function namesRead(variables: Variables): ReadonlySet<string> {
  const names = new Set<string>();
  readConfig(
    new Proxy(variables, {
      get(target, name) {
        names.add(String(name));
        return Reflect.get(target, name);
      },
    }),
  );
  return names;
}

/** Environment files are read by systemd, by compose and by shells, each with quotation marks of its own. */
const PLAIN_VALUE = /^[\w./:@,+=-]+$/u;

describe('the catalogue of variables is held to the configuration', () => {
  const read = [{}, PRODUCTION, POSTGRES].map(namesRead).reduce((all, names) => all.union(names));

  test('every variable that is read is described, but for one of Node', () => {
    assert.ok(read.size >= 40, `${read.size} variables`);
    assert.deepEqual(
      [...read].filter((name) => describedVariable(name) === null),
      ['NODE_TLS_REJECT_UNAUTHORIZED'],
    );
  });

  test('every variable that is described is read, and described once', () => {
    const names = ALL_VARIABLES.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      names.filter((name) => !name.endsWith('_<NAME>') && !read.has(name)),
      [],
    );
    const families = readConfig({ SIGNING_COMMAND_TOKEN: '/opt/sign', SIGNER_PIN: '1234' }).signing;
    assert.deepEqual([Object.keys(families.commands), families.environment], [['TOKEN'], { SIGNER_PIN: '1234' }]);
  });

  test('what is required is what production asks for, and nothing else', () => {
    const required = ALL_VARIABLES.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    assert.throws(
      () => readConfig({ ENVIRONMENT: 'production' }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        const missing = error.errors.map((line) => line.split(':')[0] ?? '');
        assert.deepEqual(missing.toSorted(), required.toSorted());
        return true;
      },
    );
  });

  for (const { name, default: value, demoDefault, isDemoOnly } of ALL_VARIABLES) {
    test(`${name} has the default that is stated`, () => {
      const inDemo = demoDefault ?? value;
      if (inDemo !== null) assert.deepEqual(readConfig({ [name]: inDemo }), readConfig({}));
      if (value !== null && !isDemoOnly) {
        assert.deepEqual(readConfig({ ...PRODUCTION, [name]: value }), readConfig(PRODUCTION));
      }
      if (value !== null && demoDefault !== undefined) {
        assert.notDeepEqual(readConfig({ [name]: value }), readConfig({}), 'the demo has another one');
      }
    });
  }

  test('whatever may hold a password, a PIN or a key is marked as secret', () => {
    const secret = ALL_VARIABLES.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    const expected = ['CREDENTIALS_KEY', 'DATABASE_URL', 'PKCS12_PASSWORD', 'SIGNER_<NAME>', 'SIGNING_COMMAND_<NAME>'];
    for (const name of expected) assert.ok(secret.includes(name), name);
    const suspicious = ALL_VARIABLES.filter(({ name }) => /PASSWORD|SECRET|TOKEN|PIN\b|_KEY$/u.test(name));
    for (const { name } of suspicious) assert.ok(secret.includes(name), name);
  });
});

describe('the example environment file', () => {
  const lines = projectFile('deploy/example.env').split('\n');
  const settings = (pattern: RegExp): Readonly<Record<string, string>> =>
    Object.fromEntries(lines.flatMap((line) => [...line.matchAll(pattern)].map(([, name, value]) => [name, value])));

  test('has exactly the required variables set, and the key must be replaced before the service starts', () => {
    const given = settings(/^([A-Z]\w*)=(.*)$/gu);
    const required = ALL_VARIABLES.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    assert.deepEqual(Object.keys(given).toSorted(), ['ENVIRONMENT', ...required].toSorted());
    assert.throws(() => readConfig(given), /CREDENTIALS_KEY/u);
    const filledIn = { ...given, CREDENTIALS_KEY: randomBytes(32).toString('base64') };
    assert.equal(readConfig(filledIn).environment, 'production');
  });

  test('has every other variable of production to be uncommented, with a value that is accepted', () => {
    const given = settings(/^#?([A-Z]\w*)=(.*)$/gu);
    const expected = ALL_VARIABLES.filter(({ isDemoOnly }) => !isDemoOnly).map(({ name }) =>
      name.replace('<NAME>', 'TOKEN'),
    );
    assert.deepEqual(Object.keys(given).toSorted(), expected.toSorted());
    assert.equal(readConfig({ ...given, CREDENTIALS_KEY: PRODUCTION['CREDENTIALS_KEY'] }).environment, 'production');
    for (const [name, value] of Object.entries(given)) assert.match(value, PLAIN_VALUE, name);
  });
});

describe('a misspelt variable is named', () => {
  const MISSPELT: Readonly<Record<string, string>> = {
    OPS_PROT: 'OPS_PORT',
    OPS_PORTS: 'OPS_PORT',
    PUBLC_URL: 'PUBLIC_URL',
    public_url: 'PUBLIC_URL',
    DATADIR: 'DATA_DIR',
    'DATA-DIR': 'DATA_DIR',
    DATABASE_URI: 'DATABASE_URL',
    DOSTAVA_PORT: 'PORT',
    DOSTAVA_DATA_DIR: 'DATA_DIR',
    HEADER_TIMEOUT_SECONDS: 'HEADERS_TIMEOUT_SECONDS',
    MAX_DOCUMENTS_BYTE: 'MAX_DOCUMENT_BYTES',
    AUTHORITY_PACE: 'AUTHORITY_PACE_MS',
    CREDENTIALS_KEYS: 'CREDENTIALS_KEY',
    AUTHORITY_PRODUCTION_PORTAL: 'AUTHORITY_PRODUCTION_PORTAL_URL',
    SIGNING_COMAND_TOKEN: 'SIGNING_COMMAND_<NAME>',
  };
  for (const [name, meant] of Object.entries(MISSPELT)) {
    test(`${name}, with ${meant} beside it`, () => {
      assert.deepEqual(readMisspelt({ ...PRODUCTION, [name]: 'x' }), [{ name, meant }]);
    });
  }

  test('but not what is ours, nor what other programs have in the same environment', () => {
    const ours = ALL_VARIABLES.map(({ name }) => name.replace('<NAME>', 'TOKEN'));
    const others = [
      ...[
        'HOME',
        'HOSTNAME',
        'HOSTTYPE',
        'LANG',
        'LOGNAME',
        'MAIL',
        'OLDPWD',
        'PATH',
        'PWD',
        'SHELL',
        'TERM',
        'USER',
        'TZ',
      ],
      ...[
        'APP_PORT',
        'API_PORT',
        'DATABASE_HOST',
        'LOG_FORMAT',
        'MAX_MEMORY',
        'PGHOST',
        'PGPORT',
        'PORT_8080',
        'NODE_ENV',
      ],
      ...['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'XDG_DATA_DIRS', 'INVOCATION_ID', 'JOURNAL_STREAM', 'LISTEN_FDS'],
      ...['CREDENTIALS_DIRECTORY', 'STATE_DIRECTORY', 'CACHE_DIRECTORY', 'RUNTIME_DIRECTORY', 'NOTIFY_SOCKET'],
      ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'DOSTAVA_SERVICE_HOST', 'DOSTAVA_PORT_8080_TCP_ADDR'],
      ...['npm_config_cache', 'npm_package_name', 'no_proxy', 'HTTPS_PROXY', 'A'.repeat(100_000)],
    ];
    const set = Object.fromEntries([...ours, ...others].map((name) => [name, 'x']));
    assert.deepEqual(readMisspelt(set), []);
  });
});

test('no document names a variable of ours that the catalogue does not have', () => {
  // The record of this decision names some that are misspelt.
  const pages = sourceFiles(['docs', 'deploy'], '.md').filter(({ path }) => !path.endsWith('0040-variables.md'));
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/gu)].map(([, name = '']) => ({ path, name })),
  );
  assert.ok(named.length >= 50, `${named.length} names`);
  const misspelt = named.filter(({ name }) => readMisspelt({ [name]: 'x' }).length > 0);
  assert.deepEqual(misspelt, []);
});
