// Plans how a token creates a signature: which mechanism is applied to which bytes, and how the result is converted. If
// the token allows it, digests are computed here, so that long data is not sent to the token.
import { DIGEST_OCTETS, rejected, type SignatureMechanism } from '@signetry/connector-sdk';
import { digestAlgorithmPart, encodeDer, integerPart, octetStringPart, sequence } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { KeyRow } from '../keys/key-store.ts';
import { CKM, PARAMETERS } from '../module/constants.ts';
import type { CkMechanism } from '../module/cryptoki.ts';
import { DIGESTS } from './digests.ts';

export interface SigningPlan {
  readonly mechanism: CkMechanism;
  readonly input: (data: Uint8Array) => Uint8Array;
  readonly output: (raw: Uint8Array) => Uint8Array;
}

type Has = (mechanism: number) => boolean;

const identity = (bytes: Uint8Array): Uint8Array => bytes;
const plainMechanism = (mechanism: number): CkMechanism => ({ mechanism, parameter: null });

/** Throws 422 if the token does not support the signature. */
export function signingPlan(key: KeyRow, wanted: SignatureMechanism, mechanisms: ReadonlySet<number>): SigningPlan {
  const has: Has = (mechanism) => mechanisms.has(mechanism);
  const plan = planOf(key, wanted, has);
  if (plan) return plan;
  const digest = 'digest' in wanted ? ` with ${wanted.digest}` : '';
  throw rejected(`The token of key "${key.label}" does not support ${TITLES[wanted.kind]}${digest}.`);
}

const TITLES: Readonly<Record<SignatureMechanism['kind'], string>> = {
  'rsa-pkcs1': 'RSA PKCS #1 v1.5 signatures',
  'rsa-pss': 'RSA-PSS signatures',
  ecdsa: 'ECDSA signatures',
  pure: 'signatures of this algorithm',
  hmac: 'this HMAC',
};

function planOf(key: KeyRow, wanted: SignatureMechanism, has: Has): SigningPlan | undefined {
  switch (wanted.kind) {
    case 'rsa-pkcs1':
      return pkcs1Plan(wanted, has);
    case 'rsa-pss':
      return pssPlan(wanted, has);
    case 'ecdsa':
      return ecdsaPlan(wanted, has);
    case 'pure':
      return purePlan(key.facts.family, has);
    case 'hmac':
      return hmacPlan(key.facts.name, has);
  }
}

type WithDigest = Extract<SignatureMechanism, { digest: unknown }>;

/** CKM_RSA_PKCS only pads the DigestInfo (RFC 8017 §9.2), so it is built here. */
function pkcs1Plan({ digest }: WithDigest, has: Has): SigningPlan | undefined {
  const { name, rsaPkcs } = DIGESTS[digest];
  if (has(CKM.rsaPkcs)) {
    const input = (data: Uint8Array) =>
      encodeDer(sequence([digestAlgorithmPart(name, true), octetStringPart(nodeCrypto.digest(name, data))]));
    return { mechanism: plainMechanism(CKM.rsaPkcs), input, output: identity };
  }
  return has(rsaPkcs) ? { mechanism: plainMechanism(rsaPkcs), input: identity, output: identity } : undefined;
}

function pssPlan({ digest }: WithDigest, has: Has): SigningPlan | undefined {
  const { name, mechanism, mgf, rsaPss } = DIGESTS[digest];
  const parameter = { type: PARAMETERS.rsaPss, hashAlg: mechanism, mgf, saltLen: DIGEST_OCTETS[digest] };
  if (has(CKM.rsaPkcsPss)) {
    const input = (data: Uint8Array) => nodeCrypto.digest(name, data);
    return { mechanism: { mechanism: CKM.rsaPkcsPss, parameter }, input, output: identity };
  }
  return has(rsaPss) ? { mechanism: { mechanism: rsaPss, parameter }, input: identity, output: identity } : undefined;
}

function ecdsaPlan({ digest }: WithDigest, has: Has): SigningPlan | undefined {
  const { name, ecdsa } = DIGESTS[digest];
  if (has(CKM.ecdsa)) {
    const input = (data: Uint8Array) => nodeCrypto.digest(name, data);
    return { mechanism: plainMechanism(CKM.ecdsa), input, output: ecdsaDer };
  }
  return has(ecdsa) ? { mechanism: plainMechanism(ecdsa), input: identity, output: ecdsaDer } : undefined;
}

/** PKCS #11 returns r and s with equal lengths. Other software expects Ecdsa-Sig-Value (RFC 3279 §2.2.3). */
export function ecdsaDer(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  return encodeDer(sequence([integerPart(raw.subarray(0, half)), integerPart(raw.subarray(half))]));
}

function purePlan(family: string, has: Has): SigningPlan | undefined {
  const isEdwards = family === 'Ed25519' || family === 'Ed448';
  const mechanism = isEdwards ? CKM.eddsa : family === 'ML-DSA' ? CKM.mlDsa : undefined;
  if (mechanism === undefined || !has(mechanism)) return undefined;
  return { mechanism: plainMechanism(mechanism), input: identity, output: identity };
}

const HMACS: Readonly<Record<string, number>> = {
  'HMAC-SHA-256': CKM.sha256Hmac,
  'HMAC-SHA-384': CKM.sha384Hmac,
  'HMAC-SHA-512': CKM.sha512Hmac,
};

function hmacPlan(name: string, has: Has): SigningPlan | undefined {
  const mechanism = HMACS[name];
  if (mechanism === undefined || !has(mechanism)) return undefined;
  return { mechanism: plainMechanism(mechanism), input: identity, output: identity };
}
