import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { LinkSigning } from '../../application/ports/access.ts';
import type { Random } from '../../application/ports/platform.ts';

const KEY_BYTES = 32;
/** Sets these keys apart from any other use of the sealing keys; a new form of links takes a new text. */
const PURPOSE = 'dostava view links 1';

/**
 * Keys derived (HKDF, RFC 5869) from the sealing keys (32 bytes each, in base64), which all processes have and keep: the first one signs, each
 * of them verifies. Without a sealing key, as in a demo environment that was not given one, links hold as long as the process runs.
 */
export function createLinkSigning(sealingKeys: readonly string[], random: Random): LinkSigning {
  const secrets = sealingKeys.length === 0 ? [random.bytes(KEY_BYTES)] : sealingKeys.map(fromBase64);
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)));
  const signature = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const [signingKey] = keys;
  return {
    sign(text) {
      if (signingKey === undefined) throw new Error('There is no key to sign links with.');
      return signature(signingKey, text);
    },
    isSignatureOf(text, given) {
      // Every key is tried, so that the time does not say which one it was.
      const matches = keys.filter((key) => isSame(signature(key, text), given));
      return matches.length > 0;
    },
  };
}

function fromBase64(key: string): Uint8Array {
  return Buffer.from(key, 'base64');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
