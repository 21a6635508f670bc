// Certificates as text: PEM in forms, Base64-encoded DER for the platform. Pure.

/** Returns the certificates in order; text outside of the PEM armor is ignored. */
export const encodedFrom = (pem: string): string[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    body.replaceAll(/\s/g, ''),
  );

export const pemOf = (encoded: readonly string[]): string =>
  encoded
    .map((each) => `-----BEGIN CERTIFICATE-----\n${each.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----`)
    .join('\n');
