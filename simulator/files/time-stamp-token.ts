import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { der, explicit, generalizedTime, integer, objectId, octets, sequence, setOf } from './der.ts';

const SHA256 = sequence(objectId('2.16.840.1.101.3.4.2.1'));
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const SIGNED_DATA = objectId('1.2.840.113549.1.7.2');
const TIME_STAMP_INFO = objectId('1.2.840.113549.1.9.16.1.4');
const CONTENT_TYPE = objectId('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = objectId('1.2.840.113549.1.9.4');
/** An invented policy, under the arc of UUIDs, which needs no registration. */
const POLICY = objectId('2.25.20261115');

const ONE = Buffer.from([1]);
const COMMON_NAME = objectId('2.5.4.3');
const SIGNER_NAME = sequence(setOf(sequence(COMMON_NAME, der(0x0c, Buffer.from('Tax authority simulator')))));

let signingKey: KeyObject | null = null;

/**
 * A time stamp of RFC 3161 over the content. Its form is complete, but its key is made anew at each start and has no
 * certificate.
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
  signingKey ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const attributes = setOf(
    sequence(CONTENT_TYPE, setOf(TIME_STAMP_INFO)),
    sequence(MESSAGE_DIGEST, setOf(octets(sha256(info)))),
  );
  // The signature covers the attributes tagged as a set; inside the structure their tag is [0] (RFC 5652, 5.4).
  const tagged = Buffer.from(attributes);
  tagged[0] = 0xa0;
  return sequence(
    integer(ONE),
    sequence(SIGNER_NAME, integer(ONE)),
    SHA256,
    tagged,
    ECDSA_WITH_SHA256,
    octets(sign('sha256', attributes, signingKey)),
  );
}

function sha256(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
