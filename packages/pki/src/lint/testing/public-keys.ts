// Examples for the rules about public keys.
import { bitStringPart, encodeDer, integerPart, nullPart, oidPart, sequence, type DerPart } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { server, type ExamplesOf } from './sample.ts';
import type { PUBLIC_KEYS } from '../rules/public-keys.ts';

interface RsaKeyOptions {
  /** First byte of the modulus. Below 0x80, the modulus has fewer than 2048 bits. */
  readonly lead?: number;
  /** `null` omits the parameters. */
  readonly parameters?: DerPart | null;
}

/** A 2048-bit RSA key with unknown factors. */
export function rsaKey({ lead = 0xff, parameters = nullPart() }: RsaKeyOptions = {}): DerPart {
  // Any odd number that is not close to a square is suitable.
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
