// Examples of the rules about public keys.
import { bitStringPart, encodeDer, integerPart, nullPart, oidPart, sequence, type DerPart } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { server, type ExamplesOf } from './sample.ts';
import type { PUBLIC_KEYS } from '../rules/public-keys.ts';

interface RsaKeyOptions {
  /** The first octet of the modulus; below 0x80 the modulus has fewer than 2048 bits. */
  readonly lead?: number;
  /** `null` to leave them out. */
  readonly parameters?: DerPart | null;
}

/** An RSA key of 2048 bits whose factors are unknown. */
export function rsaKey({ lead = 0xff, parameters = nullPart() }: RsaKeyOptions = {}): DerPart {
  // Any odd number that is not close to a square will do.
  const modulus = Uint8Array.from({ length: 256 }, (_, place) => (place * 166 + 13) & 0xff);
  modulus[0] = lead;
  const key = encodeDer(sequence([integerPart(modulus), integerPart(65537)]));
  return sequence([sequence([oidPart(OID.rsaEncryption), parameters ?? undefined]), bitStringPart(key)]);
}

export const PUBLIC_KEYS_EXAMPLES: ExamplesOf<(typeof PUBLIC_KEYS)['rules']> = {
  'key-policy': {
    passes: server({ spki: rsaKey(), parameters: { minRsaBits: 2048 } }),
    fails: server({ spki: rsaKey(), parameters: { minRsaBits: 3072 } }),
  },
  'key-parameters': { passes: server({ spki: rsaKey() }), fails: server({ spki: rsaKey({ parameters: null }) }) },
};
