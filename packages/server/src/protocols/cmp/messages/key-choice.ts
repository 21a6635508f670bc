// Key types: which type is generated for a client without a key, and how clients learn which types a profile accepts.
import {
  algIdControl,
  DEFAULT_KEY_POLICY,
  encodeDer,
  OID,
  oidPart,
  readOid,
  rsaKeyLenControl,
  sequence,
  SLH_DSA_OIDS,
  TAG,
  type AlgorithmIdentifier,
  type Control,
  type KeyFamily,
  type KeyPolicy,
} from '@signetry/pki';
import type { KeySpec } from '@signetry/pki/node';
import { CmpRejection } from '../rejection.ts';

interface Kind {
  readonly spec: KeySpec;
  readonly family: KeyFamily;
  readonly oid: string;
  readonly curve?: string;
  /** Present for RSA keys. */
  readonly bits?: number;
}

const rsa = (bits: 2048 | 3072 | 4096): Kind => ({ spec: `RSA-${bits}`, family: 'RSA', oid: OID.rsaEncryption, bits });
const ec = (spec: KeySpec, curve: string): Kind => ({ spec, family: 'ECDSA', oid: OID.ecPublicKey, curve });

/** Key types in order of preference: if a client does not specify a type, the first accepted one is generated. */
const KINDS: readonly Kind[] = [
  ec('P-256', OID.secp256r1),
  ec('P-384', OID.secp384r1),
  ec('P-521', OID.secp521r1),
  rsa(2048),
  rsa(3072),
  rsa(4096),
  { spec: 'Ed25519', family: 'Ed25519', oid: OID.ed25519 },
  { spec: 'Ed448', family: 'Ed448', oid: OID.ed448 },
  { spec: 'ML-DSA-44', family: 'ML-DSA', oid: OID.mlDsa44 },
  { spec: 'ML-DSA-65', family: 'ML-DSA', oid: OID.mlDsa65 },
  { spec: 'ML-DSA-87', family: 'ML-DSA', oid: OID.mlDsa87 },
];

const kindsOf = ({ families, curves, minRsaBits, maxRsaBits }: Required<KeyPolicy>): readonly Kind[] =>
  KINDS.filter(
    ({ family, curve, bits = minRsaBits }) =>
      families.includes(family) &&
      (curve === undefined || curves.includes(curve)) &&
      bits >= minRsaBits &&
      bits <= maxRsaBits,
  );

export interface KeyChoice {
  readonly spec: KeySpec;
  /** Whether the key has the requested algorithm, or no algorithm was requested. */
  readonly isAsAsked: boolean;
}

/** Returns the requested algorithm if it is accepted; otherwise the first accepted one. */
export function chooseKey(
  asked: AlgorithmIdentifier | undefined,
  policy: Required<KeyPolicy> = DEFAULT_KEY_POLICY,
): KeyChoice {
  const kinds = kindsOf(policy);
  const named = asked && kinds.find((kind) => matchesAlgorithm(kind, asked));
  if (named) return { spec: named.spec, isAsAsked: true };
  const [first] = kinds;
  if (first) return { spec: first.spec, isAsAsked: asked === undefined };
  throw new CmpRejection(
    'badAlg',
    'The RA profile accepts no key type that the server can generate; generate a key on the client.',
  );
}

/** Returns whether the key type matches the requested algorithm. An EC algorithm can leave its curve unspecified. */
function matchesAlgorithm({ oid, curve }: Kind, asked: AlgorithmIdentifier): boolean {
  if (asked.oid !== oid) return false;
  const { parameters } = asked;
  return curve === undefined || parameters?.tag !== TAG.oid || readOid(parameters) === curve;
}

/**
 * Returns the controls that state which keys are accepted: RSA key lengths, and the other algorithms (RFC 9810
 * §5.3.19.16).
 */
export function keySpecOf(policy: Required<KeyPolicy>): readonly Control[] {
  const kinds = kindsOf(policy);
  const lengths = kinds.flatMap(({ bits }) => bits ?? []);
  const isLarger = policy.families.includes('RSA') && lengths.length === 0;
  const algorithms = kinds.filter(({ family }) => family !== 'RSA').map(({ oid, curve }) => algId(oid, curve));
  const hashBased = policy.families.includes('SLH-DSA') ? [...SLH_DSA_OIDS.keys()] : [];
  return [
    ...algorithms,
    ...hashBased.map((oid) => algId(oid)),
    ...(isLarger ? [policy.minRsaBits] : lengths).map((bits) => rsaKeyLenControl(bits)),
  ];
}

const algId = (oid: string, curve?: string): Control =>
  algIdControl({ der: encodeDer(sequence([oidPart(oid), curve === undefined ? undefined : oidPart(curve)])) });
