import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const CERTAINTIES = /published|seen live|reported|inferred|unknown at the source/u;
/** Section of the reference, client, simulator, test. */
const FILES = [/^\d+(?:\.\d+)?$/u, /^`(src\/\S+\.ts)`$/u, /^`(simulator\/\S+\.ts)`$/u, /^`(test\/\S+\.test\.ts)`$/u];

function tableRows(): readonly (readonly string[])[] {
  const [, part = ''] = readFileSync(new URL('simulator/README.md', ROOT), 'utf8').split(
    '## Facts, and where they are held',
  );
  const [table = ''] = part.split('\n## ');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.slice(2).map((row) => row.slice(1, -1));
}

test('each fact in the table has a certainty, a section, and files of client, simulator and test that exist', () => {
  const rows = tableRows();
  assert.ok(rows.length > 40, `${rows.length} rows`);
  for (const [fact = '', certainty = '', ...files] of rows) {
    assert.match(certainty, CERTAINTIES, fact);
    assert.equal(files.length, FILES.length, fact);
    files.forEach((cell, index) => {
      const [whole, path] = FILES[index]?.exec(cell) ?? [];
      assert.ok(whole !== undefined, `${fact}: ${cell}`);
      assert.ok(path === undefined || existsSync(new URL(path, ROOT)), `${fact}: ${path} does not exist`);
    });
  }
});

test('every check of a document and of a request is in the table, and names a section of the reference', () => {
  const named = new Set(tableRows().map((row) => row[4]?.replaceAll('`', '')));
  for (const folder of ['receiver/checks', 'receiver/amounts', 'request-checks']) {
    const files = readdirSync(new URL(`simulator/${folder}/`, ROOT)).filter((file) => file.endsWith('.ts'));
    for (const path of files.map((file) => `simulator/${folder}/${file}`)) {
      if (NO_RULES.has(path)) continue;
      assert.ok(named.has(path), `${path} is not in the table`);
      assert.match(readFileSync(new URL(path, ROOT), 'utf8'), /§\d/u, `${path} names no section`);
    }
  }
});

/** Arithmetic, and who may call the simulator: nothing that the authority could publish. */
const NO_RULES = new Set(['simulator/receiver/amounts/decimal.ts', 'simulator/request-checks/local-request.ts']);
