import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

export type ZipFile = {
  readonly name: string;
  readonly content: Buffer;
  readonly method: number;
  readonly offset: number;
};

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/** Reads an archive of uncompressed files; compares each with its local header and its checksum. */
export function readZip(archive: Buffer): readonly ZipFile[] {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), END);
  const count = archive.readUInt16LE(end + 10);
  const start = archive.readUInt32LE(end + 16);
  assert.equal(start + archive.readUInt32LE(end + 12), end);
  const files: ZipFile[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    assert.equal(archive.readUInt32LE(at), CENTRAL);
    const nameLength = archive.readUInt16LE(at + 28);
    files.push(readEntry(archive, at, archive.toString('ascii', at + 46, at + 46 + nameLength)));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  assert.equal(at, end);
  return files;
}

function readEntry(archive: Buffer, central: number, name: string): ZipFile {
  const offset = archive.readUInt32LE(central + 42);
  assert.equal(archive.readUInt32LE(offset), LOCAL);
  // Versions, flags, method, time, checksum and sizes are in both headers.
  assert.ok(archive.subarray(offset + 4, offset + 28).equals(archive.subarray(central + 6, central + 30)), name);
  const size = archive.readUInt32LE(offset + 18);
  const begin = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  assert.equal(archive.toString('ascii', offset + 30, offset + 30 + name.length), name);
  const content = archive.subarray(begin, begin + size);
  assert.equal(crc32(content), archive.readUInt32LE(offset + 14), name);
  return { name, content, method: archive.readUInt16LE(offset + 8), offset };
}
