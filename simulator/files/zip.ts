import { crc32 } from 'node:zlib';

export type ZipEntry = { readonly name: string; readonly content: Uint8Array };

const VERSION = 20;

/** An archive of uncompressed entries in the given order, without extra fields between name and content. */
export function zip(entries: readonly ZipEntry[], moment: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name, 'ascii');
    const description = describe(nameBytes, content, moment);
    const local = Buffer.concat([bytes(4, 0x04034b50), description, nameBytes]);
    directory.push(
      Buffer.concat([
        bytes(4, 0x02014b50),
        bytes(2, VERSION),
        description,
        bytes(2, 0, 0, 0),
        bytes(4, 0, offset),
        nameBytes,
      ]),
    );
    parts.push(local, Buffer.from(content));
    offset += local.length + content.length;
  }
  const central = Buffer.concat(directory);
  const end = [bytes(4, 0x06054b50), bytes(2, 0, 0, entries.length, entries.length), bytes(4, central.length, offset)];
  return Buffer.concat([...parts, central, ...end, bytes(2, 0)]);
}

/** The fields that the header of an entry and its row in the central directory have in common. */
function describe(name: Buffer, content: Uint8Array, moment: Date): Buffer {
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return Buffer.concat([
    bytes(2, VERSION, 0, 0, time, date),
    bytes(4, crc32(content), content.length, content.length),
    bytes(2, name.length, 0),
  ]);
}

function bytes(width: 2 | 4, ...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(width * values.length);
  values.forEach((value, index) => void buffer.writeUIntLE(value, index * width, width));
  return buffer;
}
