import type { X509Certificate } from 'node:crypto';
import type { Signer } from '../../../application/ports/signer.ts';

/** Makes compact JWS by RS256 with the certificate in the header, as the authority accepts them (RFC 7515, RFC 7518 §3.3). */
export function jwsSigner(certificate: X509Certificate, signBytes: (bytes: Buffer) => Promise<Uint8Array>): Signer {
  const der = certificate.raw.toString('base64');
  const header = base64url(JSON.stringify({ alg: 'RS256', x5c: [der] }));
  return {
    serialNumber: certificate.serialNumber.replace(/^0+(?=.)/u, '').toUpperCase(),
    certificate: der,
    validTo: certificate.validToDate.toISOString(),
    async sign(text) {
      const signed = `${header}.${base64url(text)}`;
      // Base64url is ASCII, for which latin1 is the encoding that only copies.
      const signature = await signBytes(Buffer.from(signed, 'latin1'));
      return `${signed}.${Buffer.from(signature).toString('base64url')}`;
    },
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
