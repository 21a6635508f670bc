import {
  controlValue,
  DEFAULT_KEY_POLICY,
  encodeDer,
  nullPart,
  OID,
  oidPart,
  parseAlgorithm,
  readOid,
  sequence,
  SLH_DSA_OIDS,
  type Control,
  type KeyPolicy,
} from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { chooseKey, keySpecOf } from './key-choice.ts';

const policyWith = (policy: KeyPolicy): Required<KeyPolicy> => ({ ...DEFAULT_KEY_POLICY, ...policy });
const algorithm = (oid: string, parameters?: Uint8Array) =>
  parseAlgorithm(encodeDer(sequence([oidPart(oid), parameters])));
const ec = (curve?: string) => algorithm(OID.ecPublicKey, curve === undefined ? undefined : encodeDer(oidPart(curve)));
const rsa = algorithm(OID.rsaEncryption, encodeDer(nullPart()));

describe('a key generated for a client', () => {
  it.each([
    ['P-256 where nothing is asked for', undefined, {}, 'P-256', true],
    ['of the curve that is asked for', ec(OID.secp384r1), {}, 'P-384', true],
    ['of the first curve where it is left open', ec(), {}, 'P-256', true],
    ['of the first accepted curve where it is left open', ec(), { curves: [OID.secp521r1] }, 'P-521', true],
    ['the shortest RSA key', rsa, {}, 'RSA-2048', true],
    ['the shortest RSA key that is accepted', rsa, { minRsaBits: 2049 }, 'RSA-3072', true],
    ['RSA-4096 at its bound from below', rsa, { minRsaBits: 4096 }, 'RSA-4096', true],
    ['RSA-2048 at its bound from above', rsa, { maxRsaBits: 2048 }, 'RSA-2048', true],
    ['an Edwards key', algorithm(OID.ed25519), {}, 'Ed25519', true],
    ['a post-quantum key', algorithm(OID.mlDsa65), {}, 'ML-DSA-65', true],
    ['another curve than the one that is not accepted', ec(OID.secp256r1), { curves: [OID.secp384r1] }, 'P-384', false],
    ['another family than the one that is not accepted', rsa, { families: ['ECDSA'] }, 'P-256', false],
    ['another key than one that is not made here', algorithm(OID.rsaPss), {}, 'P-256', false],
    ['of the accepted family where nothing is asked for', undefined, { families: ['RSA'], minRsaBits: 3072 },
      'RSA-3072', true],
  ] as const)('is %s', (_what, asked, policy, spec, isAsAsked) => {
    expect(chooseKey(asked, policyWith(policy))).toEqual({ spec, isAsAsked });
  }); // prettier-ignore

  it('is chosen from all key types if the RA profile accepts all of them', () => {
    expect(chooseKey(undefined, undefined)).toEqual({ spec: 'P-256', isAsAsked: true });
  });

  it.each([
    ['longer RSA keys than are made here', { families: ['RSA'], minRsaBits: 4097 }],
    ['shorter RSA keys than are made here', { families: ['RSA'], minRsaBits: 1024, maxRsaBits: 2047 }],
    ['hash-based keys only', { families: ['SLH-DSA'] }],
    ['no keys', { families: [] }],
    ['curves of no name', { families: ['ECDSA'], curves: [] }],
  ] as const)('is not generated if the RA profile accepts %s', (_what, policy) => {
    expect(() => chooseKey(undefined, policyWith(policy))).toThrow(
      expect.objectContaining({ failure: 'badAlg', message: expect.stringContaining('generate a key on the client.') }),
    );
  });
});

describe('the keys advertised to clients', () => {
  const describeControl = (control: Control) => {
    const { oid, parameters } = controlValue([control], 'algId') ?? {};
    return controlValue([control], 'rsaKeyLen') ?? [oid, ...(parameters ? [readOid(parameters)] : [])];
  };
  const describePolicy = (policy: KeyPolicy) => keySpecOf(policyWith(policy)).map(describeControl);

  it.each([
    ['curves', { families: ['ECDSA'], curves: [OID.secp384r1] }, [[OID.ecPublicKey, OID.secp384r1]]],
    ['lengths of RSA keys', { families: ['RSA'], minRsaBits: 2049 }, [3072, 4096]],
    ['one length of RSA keys', { families: ['RSA'], maxRsaBits: 2048 }, [2048]],
    ['longer RSA keys than are made here', { families: ['RSA'], minRsaBits: 6144 }, [6144]],
    ['other algorithms before RSA', { families: ['RSA', 'Ed25519'], maxRsaBits: 2048 }, [[OID.ed25519], 2048]],
    ['nothing', { families: [] }, []],
  ] as const)('are %s', (_what, policy, expected) => {
    expect(describePolicy(policy)).toEqual(expected);
  });

  it('include hash-based keys, which only clients can generate', () => {
    expect(describePolicy({ families: ['SLH-DSA'] })).toEqual([...SLH_DSA_OIDS.keys()].map((oid) => [oid]));
  });
});
