// Examples for the rules about algorithm strength.
import { bitStringPart, encodeDer, integerPart, nullPart, oidPart, sequence, type DerPart } from '../../der/writer.ts';
import { dsaKey, pssIdentifier } from './root-programs.ts';
import { fromHex } from '../../bytes.ts';
import { OID } from '../../oids.ts';
import { ROCA_MODULUS } from '../../testing/weak-keys.ts';
import { rsaKey } from './public-keys.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import {
  authority,
  certificateOf,
  DAY_MS,
  ISSUER_CERTIFICATE,
  root,
  SAMPLE_FROM_MS,
  server,
  type Changes,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { ALGORITHM_STRENGTH } from '../rules/algorithm-strength.ts';

/** An RSA key with the given modulus, which need not be a product of two primes. */
export const rsaKeyOf = (modulus: Uint8Array, exponent = 65537): DerPart =>
  sequence([
    sequence([oidPart(OID.rsaEncryption), nullPart()]),
    bitStringPart(encodeDer(sequence([integerPart(modulus), integerPart(exponent)]))),
  ]);
const odd = (octets: number, lead = 0xff): Uint8Array => {
  const modulus = Uint8Array.from({ length: octets }, (_, place) => (place * 166 + 13) & 0xff);
  modulus[0] = lead;
  modulus[octets - 1] = 0xff;
  return modulus;
};
/** 105 * (2^2040 + 1): odd, and divisible by 3, 5 and 7. */
export const SMALL_FACTOR: Uint8Array = fromHex((105n * 2n ** 2040n + 105n).toString(16).padStart(512, '0'));
export const K256_KEY: DerPart = sequence([
  sequence([oidPart(OID.ecPublicKey), oidPart(OID.secp256k1)]),
  bitStringPart(Uint8Array.of(4, ...new Uint8Array(64).fill(1))),
]);
export const RSA_1024: DerPart = rsaKeyOf(odd(128));
export const RSA_3072: DerPart = rsaKeyOf(odd(384));
const SHA224 = signatureAlgorithm('SHA224withRSA').der;
const validUntil = (year: number): Changes => ({ validity: [SAMPLE_FROM_MS, Date.UTC(year, 5, 1)] });
const withIssuerKey = (spki: DerPart): Changes => ({ issuerCertificate: certificateOf(root({ spki })) });
const P384_KEY: DerPart = sequence([
  sequence([oidPart(OID.ecPublicKey), oidPart(OID.secp384r1)]),
  bitStringPart(Uint8Array.of(4, ...new Uint8Array(96).fill(1))),
]);
const signedByP384 = (name: string): Sample =>
  server({ signature: signatureAlgorithm(name).der, ...withIssuerKey(P384_KEY) });

export const ALGORITHM_STRENGTH_EXAMPLES: ExamplesOf<(typeof ALGORITHM_STRENGTH)['rules']> = {
  'strength-key': { passes: server({ spki: rsaKey() }), fails: server({ spki: RSA_1024 }) },
  'strength-key-2030': {
    passes: server({ spki: rsaKey(), ...validUntil(2030) }),
    fails: server({ spki: rsaKey(), ...validUntil(2031) }),
  },
  'strength-key-2035': { passes: server(validUntil(2035)), fails: server(validUntil(2036)) },
  'strength-key-sound': {
    passes: server({ spki: rsaKey() }),
    fails: server({ spki: rsaKeyOf(fromHex(ROCA_MODULUS)) }),
  },
  'strength-small-factor': {
    passes: server({ spki: rsaKeyOf(fromHex(ROCA_MODULUS)) }),
    fails: server({ spki: rsaKeyOf(SMALL_FACTOR) }),
  },
  'strength-rsa-exponent': {
    passes: server({ spki: rsaKey() }),
    fails: server({ spki: rsaKeyOf(odd(256), 3) }),
  },
  'strength-rsa-octets': { passes: server({ spki: rsaKey() }), fails: server({ spki: rsaKeyOf(odd(257)) }) },
  'strength-curve': { passes: server(), fails: server({ spki: K256_KEY }) },
  'strength-dsa': { passes: server(), fails: server({ spki: dsaKey }) },
  'strength-signature-known': {
    passes: server(),
    fails: server({ signature: sequence([oidPart('1.2.840.113549.1.1.2'), nullPart()]) }),
  },
  'strength-sha-224': {
    passes: server({ signature: SHA224, ...validUntil(2030) }),
    fails: server({ signature: SHA224, ...validUntil(2031) }),
  },
  'strength-signature-2030': {
    passes: server({ ...validUntil(2030), ...withIssuerKey(rsaKey()) }),
    fails: server({ ...validUntil(2031), ...withIssuerKey(rsaKey()) }),
    isOutOfScope: server(validUntil(2031)),
  },
  'strength-digest-of-key': {
    passes: signedByP384('SHA384withECDSA'),
    fails: signedByP384('SHA256withECDSA'),
    isOutOfScope: server(),
  },
  'strength-issuer': {
    passes: server({ issuerCertificate: ISSUER_CERTIFICATE }),
    fails: server(withIssuerKey(rsaKey())),
    isOutOfScope: server(),
  },
  'strength-pss-salt': {
    passes: server({ signature: pssIdentifier(32) }),
    fails: server({ signature: pssIdentifier(33) }),
  },
  'strength-validity': {
    passes: server({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 1095 * DAY_MS - 1000] }),
    fails: server({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 1095 * DAY_MS] }),
    isOutOfScope: authority({ validity: [SAMPLE_FROM_MS, SAMPLE_FROM_MS + 1095 * DAY_MS] }),
  },
};
