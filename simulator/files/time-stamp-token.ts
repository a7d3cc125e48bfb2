import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { der, explicit, generalizedTime, integer, objectId, octets, sequence, setOf } from './der.ts';

const SHA256 = sequence(objectId('2.16.840.1.101.3.4.2.1'));
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const SIGNED_DATA = objectId('1.2.840.113549.1.7.2');
const TIME_STAMP_INFO = objectId('1.2.840.113549.1.9.16.1.4');
const CONTENT_TYPE = objectId('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = objectId('1.2.840.113549.1.9.4');
/** A policy of nobody: below the arc of UUIDs, where no registration is needed. */
const POLICY = objectId('2.25.20261115');

const ONE = Buffer.from([1]);
const COMMON_NAME = objectId('2.5.4.3');
const CLERK = sequence(setOf(sequence(COMMON_NAME, der(0x0c, Buffer.from('Tax authority simulator')))));

let clerkKey: KeyObject | null = null;

/**
 * A time stamp of RFC 3161 over the content. It is whole in form; the key behind it was made for this run of the program
 * and no certificate vouches for it.
 */
export function timeStampToken(content: Uint8Array, serial: Uint8Array, moment: Date): Buffer {
  const info = sequence(
    integer(ONE),
    POLICY,
    sequence(SHA256, octets(sha256(content))),
    integer(serial),
    generalizedTime(moment),
  );
  const signedData = sequence(
    integer(Buffer.from([3])),
    setOf(SHA256),
    sequence(TIME_STAMP_INFO, explicit(0, octets(info))),
    setOf(signerInfo(info)),
  );
  return sequence(SIGNED_DATA, explicit(0, signedData));
}

function signerInfo(info: Buffer): Buffer {
  clerkKey ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const attributes = setOf(
    sequence(CONTENT_TYPE, setOf(TIME_STAMP_INFO)),
    sequence(MESSAGE_DIGEST, setOf(octets(sha256(info)))),
  );
  // The signature is over the attributes as a set; in the structure they carry a tag of their own.
  const tagged = Buffer.from(attributes);
  tagged[0] = 0xa0;
  return sequence(
    integer(ONE),
    sequence(CLERK, integer(ONE)),
    SHA256,
    tagged,
    ECDSA_WITH_SHA256,
    octets(sign('sha256', attributes, clerkKey)),
  );
}

function sha256(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
