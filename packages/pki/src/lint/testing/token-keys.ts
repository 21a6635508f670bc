// Examples for the rules about keys in tokens.
import { bitStringPart, encodeDer, oidPart, sequence, type DerPart } from '../../der/writer.ts';
import { dsaKey } from './root-programs.ts';
import { fromHex } from '../../bytes.ts';
import { K256_KEY, RSA_1024, RSA_3072, rsaKeyOf, SMALL_FACTOR } from './algorithm-strength.ts';
import { ML_DSA_44, ML_DSA_65 } from './post-quantum.ts';
import { OID } from '../../oids.ts';
import { parsePublicKey, type PublicKey } from '../../keys.ts';
import { ROCA_MODULUS } from '../../testing/weak-keys.ts';
import { rsaKey } from './public-keys.ts';
import type { TOKEN_KEYS } from '../rules/token-keys.ts';

export interface KeyExamples {
  readonly passes: PublicKey;
  readonly fails: PublicKey;
}

const key = (spki: DerPart): PublicKey => parsePublicKey(encodeDer(spki));
const RSA = key(rsaKey());
const octets = (count: number, last = 0xff): Uint8Array => {
  const modulus = new Uint8Array(count).fill(0xa7);
  modulus[count - 1] = last;
  return modulus;
};
const point = (curve: DerPart | undefined, ...bytes: readonly number[]): PublicKey =>
  key(sequence([sequence([oidPart(OID.ecPublicKey), curve]), bitStringPart(Uint8Array.from(bytes))]));
const P256 = point(oidPart(OID.secp256r1), 4, ...new Uint8Array(64).fill(1));
/** Product of two odd numbers close to each other. */
const CLOSE = fromHex(((2n ** 1024n - 105n) * (2n ** 1024n - 107n)).toString(16).padStart(512, '0'));

export const KEY_EXAMPLES: { readonly [Id in keyof (typeof TOKEN_KEYS)['rules']]: KeyExamples } = {
  'key-algorithm': { passes: RSA, fails: key(dsaKey) },
  'key-rsa-size': { passes: RSA, fails: key(RSA_1024) },
  'key-rsa-largest-size': { passes: RSA, fails: key(rsaKeyOf(octets(1025))) },
  'key-rsa-octets': { passes: RSA, fails: key(rsaKey({ lead: 0x7f })) },
  'key-rsa-exponent': { passes: RSA, fails: key(rsaKeyOf(octets(256), 3)) },
  'key-rsa-modulus': { passes: RSA, fails: key(rsaKeyOf(octets(256, 0xfe))) },
  'key-rsa-close-primes': { passes: RSA, fails: key(rsaKeyOf(CLOSE)) },
  'key-rsa-roca': { passes: RSA, fails: key(rsaKeyOf(fromHex(ROCA_MODULUS))) },
  'key-rsa-small-factor': { passes: key(rsaKeyOf(fromHex(ROCA_MODULUS))), fails: key(rsaKeyOf(SMALL_FACTOR)) },
  'key-rsa-parameters': { passes: RSA, fails: key(rsaKey({ parameters: null })) },
  'key-curve': { passes: P256, fails: key(K256_KEY) },
  'key-named-curve': { passes: P256, fails: point(sequence([]), 4, ...new Uint8Array(64).fill(1)) },
  'key-uncompressed': { passes: P256, fails: point(oidPart(OID.secp256r1), 2, ...new Uint8Array(32).fill(1)) },
  'key-security-bits': { passes: key(RSA_3072), fails: RSA },
  'key-post-quantum': { passes: key(ML_DSA_65), fails: RSA },
  'key-category': { passes: key(ML_DSA_65), fails: key(ML_DSA_44) },
};
