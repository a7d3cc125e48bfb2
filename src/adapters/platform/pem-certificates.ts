const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu;

/** The certificates in a PEM text, each with its frame; other text around them is left out. */
export function pemCertificates(pem: string): readonly string[] {
  return pem.match(CERTIFICATES) ?? [];
}
