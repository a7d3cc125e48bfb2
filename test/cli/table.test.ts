import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputText } from '../../src/cli/screen/output-text.ts';
import { table } from '../../src/cli/table.ts';
import { areColoursWanted } from '../../src/config.ts';

const UID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ROWS = [
  [UID, 55, 'The authority could not be reached for several days.'],
  [UID, null, 'Фактура'],
];
const HEADINGS = ['DOCUID', 'STATUS', 'WHY'];
const plain = (columns: number | null) => outputText(table(HEADINGS, ROWS), { columns, isColoured: false });

test('a table that fits, or does not go to a terminal, is one line a row', () => {
  const whole = `${HEADINGS[0]?.padEnd(36)}  STATUS  WHY
${UID}  55      The authority could not be reached for several days.
${UID}  -       Фактура`;
  assert.equal(plain(null), whole);
  assert.equal(plain(200), whole);
  assert.equal(String(table(HEADINGS, ROWS)), whole);
});

test('a table may be longer than a call has room for arguments', () => {
  // A call has room for 125,000 at most.
  const rows = Array.from({ length: 130_000 }, () => ['a b']);
  assert.equal(String(table(['WHAT'], rows)).length, 'WHAT'.length + rows.length * '\na b'.length);
  assert.equal(table(['WHAT'], rows).on({ columns: 4, isColoured: false }).split('\n').length, rows.length + 1);
});

test('on a narrow terminal words are wrapped and identifiers stay whole', () => {
  const lines = plain(66).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 66),
    [],
  );
  assert.equal(lines.filter((line) => line.startsWith(UID)).length, 2);
  const words = lines.slice(1, -1).map((line) => line.slice(46));
  assert.equal(words.join(' '), 'The authority could not be reached for several days.');
});

test('where even that does not fit, each row stands as a block that has everything', () => {
  assert.equal(
    plain(40),
    `DOCUID  ${UID}
STATUS  55
WHY     The authority could not be reached for several days.

DOCUID  ${UID}
STATUS  -
WHY     Фактура`,
  );
});

test('what acts on a terminal does not get there, and colours only where the screen has them', () => {
  const hostile = table(['A'], [[{ alarming: 'x\u001b[2Jy\u0007' }]]);
  const text = outputText(['first', hostile], { columns: 80, isColoured: false });
  assert.ok(!text.includes('\u001b') && !text.includes('\u0007'), text);
  const coloured = outputText(hostile, { columns: 80, isColoured: true });
  assert.ok(coloured.startsWith('\u001b[1mA\u001b[22m\n\u001b[31mx'), JSON.stringify(coloured));
  assert.ok(!coloured.includes('\u001b[2J'));
});

test('NO_COLOR and a terminal that knows none mean no colours', () => {
  assert.equal(areColoursWanted({}), true);
  assert.equal(areColoursWanted({ NO_COLOR: '' }), true);
  assert.equal(areColoursWanted({ NO_COLOR: '1' }), false);
  assert.equal(areColoursWanted({ TERM: 'dumb' }), false);
});
