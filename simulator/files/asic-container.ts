import type { RegisteredDocument } from '../state/registered-document.ts';
import { timeStampToken } from './time-stamp-token.ts';
import { zip } from './zip.ts';

/** The simple container (ASiC-S) of ETSI EN 319 162-1: the type, first and uncompressed; one signed file; its time stamp. */
export function asicContainer({ euid, jws, registeredAt }: RegisteredDocument): Buffer {
  const signed = Buffer.from(jws, 'ascii');
  const moment = new Date(registeredAt);
  const serial = Buffer.from(euid.replaceAll('-', ''), 'hex');
  const entries = [
    { name: 'mimetype', content: Buffer.from('application/vnd.etsi.asic-s+zip') },
    { name: `${euid}.jws`, content: signed },
    { name: 'META-INF/timestamp.tst', content: timeStampToken(signed, serial, moment) },
  ];
  return zip(entries, moment);
}
