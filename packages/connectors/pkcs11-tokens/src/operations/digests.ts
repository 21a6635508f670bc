// PKCS #11 constants and the node:crypto name for each digest.
import type { OfferedDigest } from '@signetry/contract';
import type { DigestName } from '@signetry/pki';
import { CKG, CKM } from '../module/constants.ts';

export interface DigestFacts {
  readonly name: DigestName;
  readonly mechanism: number;
  readonly mgf: number;
  readonly rsaPkcs: number;
  readonly rsaPss: number;
  readonly ecdsa: number;
}

const sha2 = (size: '224' | '256' | '384' | '512'): DigestFacts => ({
  name: `sha${size}`,
  mechanism: CKM[`sha${size}`],
  mgf: CKG[`mgf1Sha${size}`],
  rsaPkcs: CKM[`sha${size}RsaPkcs`],
  rsaPss: CKM[`sha${size}RsaPkcsPss`],
  ecdsa: CKM[`ecdsaSha${size}`],
});

const sha3 = (size: '256' | '384' | '512'): DigestFacts => ({
  name: `sha3-${size}`,
  mechanism: CKM[`sha3_${size}`],
  mgf: CKG[`mgf1Sha3_${size}`],
  rsaPkcs: CKM[`sha3_${size}RsaPkcs`],
  rsaPss: CKM[`sha3_${size}RsaPkcsPss`],
  ecdsa: CKM[`ecdsaSha3_${size}`],
});

export const DIGESTS: Readonly<Record<OfferedDigest, DigestFacts>> = {
  'SHA-224': sha2('224'),
  'SHA-256': sha2('256'),
  'SHA-384': sha2('384'),
  'SHA-512': sha2('512'),
  'SHA3-256': sha3('256'),
  'SHA3-384': sha3('384'),
  'SHA3-512': sha3('512'),
};
