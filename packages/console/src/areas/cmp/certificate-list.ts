// Certificates as text: PEM for people, Base64 of DER for the platform. Pure.

/** One after the other; lines outside of the armour are left out. */
export const encodedFrom = (pem: string): string[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    body.replaceAll(/\s/g, ''),
  );

export const pemOf = (encoded: readonly string[]): string =>
  encoded
    .map((each) => `-----BEGIN CERTIFICATE-----\n${each.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----`)
    .join('\n');
