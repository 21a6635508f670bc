// Text for key types.
import type { EstKeyType } from '@signetry/contract';

export const wordsOfKeyType: Readonly<Record<EstKeyType, string>> = {
  ecdsaP256: 'ECDSA P-256',
  ecdsaP384: 'ECDSA P-384',
  ecdsaP521: 'ECDSA P-521',
  rsa2048: 'RSA 2048',
  rsa3072: 'RSA 3072',
  rsa4096: 'RSA 4096',
};
