import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { type ZipEntry, zip } from '../../../../simulator/files/zip.ts';
import { containedDocIds } from '../../../../src/adapters/ujp/containers/contained-ids.ts';
import { fc } from '../../../support/seeds.ts';

const MOMENT = new Date('2026-11-15');
/** As we make them. */
const ONE = '0123456789ABCDEFGHJK';
const TWO = 'MNPQRSTVWXYZ01234567';
const payload = (docId: string) => JSON.stringify({ requestTimestamp: 'x', document: { header: { docId } } });
const jws = (text: string) => `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(text).toString('base64url')}.c2ln`;
const entry = (content: string | Uint8Array, name = 'signed'): ZipEntry => ({ name, content: Buffer.from(content) });
const idsOf = (...entries: readonly ZipEntry[]) => [...containedDocIds(zip(entries, MOMENT))];

/** The archive of one entry, compressed. */
function deflated(text: string): Uint8Array {
  const packed = deflateRawSync(text);
  const file = zip([entry(packed)], MOMENT);
  const directory = file.readUInt32LE(file.length - 6);
  const inflated = [crc32(text), packed.length, Buffer.byteLength(text)];
  for (const at of [8, directory + 10]) {
    file.writeUInt16LE(8, at);
    inflated.forEach((value, index) => void file.writeUInt32LE(value, at + 6 + 4 * index));
  }
  return file;
}

test('the docId of a signed document is read, whatever stands around it', () => {
  const mimetype = entry('application/vnd.etsi.asic-s+zip', 'mimetype');
  assert.deepEqual(idsOf(mimetype, entry(jws(payload(ONE)))), [ONE]);
  assert.deepEqual(idsOf(mimetype, entry(payload(ONE)), entry(payload(TWO))), [ONE, TWO]);
  assert.deepEqual([...containedDocIds(deflated(payload(ONE)))], [ONE]);
  assert.deepEqual([...containedDocIds(deflated(jws(payload(ONE))))], [ONE]);
});

test('what the authority itself may call a docId is none of ours', () => {
  for (const other of ['4711', '01a1f076-70f2-71ff-95a6-6b83a162252a', ONE.toLowerCase(), `${ONE}0`, ONE.slice(1)]) {
    assert.deepEqual(idsOf(entry(payload(other))), [], other);
  }
});

test('a file that is listed again and again does not take the time of as many', () => {
  const once = Buffer.from(deflated(payload(ONE) + ' '.repeat(1_500_000)));
  assert.deepEqual([...containedDocIds(once)], [ONE]);
  const [directory, end] = [once.readUInt32LE(once.length - 6), once.length - 22];
  const twice = Buffer.concat([once.subarray(0, end), once.subarray(directory)]);
  twice.writeUInt16LE(2, twice.length - 12);
  assert.deepEqual([...containedDocIds(twice)], []);
});

test('nothing is read of what holds none, of what is too large, or of what is damaged', () => {
  assert.deepEqual(idsOf(entry('application/vnd.etsi.asic-s+zip', 'mimetype')), []);
  assert.deepEqual(idsOf(), []);
  assert.deepEqual(idsOf(entry(payload(ONE) + ' '.repeat(2_097_152))), []);
  assert.deepEqual([...containedDocIds(deflated(payload(ONE) + ' '.repeat(20_000_000)))], []);
  const whole = Buffer.from(deflated(payload(ONE)));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      assert.ok(containedDocIds(damaged).size <= 1);
      assert.ok(containedDocIds(damaged.subarray(0, length)).size <= 1);
    }),
  );
});
