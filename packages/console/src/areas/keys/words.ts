// What keys and their halves are called.
import type { KeyCompromiseReason, KeyItemDetailDto, KeyType, KeyUsage } from '@signetry/contract';

export const typeWords: Readonly<Record<KeyType, string>> = {
  Private: 'Private key',
  Public: 'Public key',
  Secret: 'Secret key',
  Split: 'Split key',
};

type Sized = Pick<KeyItemDetailDto, 'keyAlgorithm' | 'length'>;

/** `RSA, 2048 bits`; the size of a post-quantum key says nothing that its name does not. */
export const wordsOfAlgorithm = ({ keyAlgorithm, length }: Sized): string =>
  length > 0 ? `${keyAlgorithm === 'Unknown' ? 'Other' : keyAlgorithm}, ${length.toLocaleString()} bits` : keyAlgorithm;

export const reasonWords: Readonly<Record<KeyCompromiseReason, string>> = {
  disclosure: 'Others know it, or may know it',
  modification: 'It was changed without permission',
  substitution: 'It was replaced by another without permission',
  use_of_sensitive_data: 'Data that it protects was used without permission',
};

/** What an item of this type can be used for; the platform refuses the rest. */
export function possibleUsages({ type, keyAlgorithm }: Pick<KeyItemDetailDto, 'type' | 'keyAlgorithm'>): KeyUsage[] {
  const ofType = USAGES_OF_TYPE[type];
  return keyAlgorithm === 'ECDSA' ? ofType.filter((usage) => usage !== 'encrypt' && usage !== 'decrypt') : [...ofType];
}

const USAGES_OF_TYPE: Readonly<Record<KeyType, readonly KeyUsage[]>> = {
  Secret: ['sign', 'verify', 'encrypt', 'decrypt', 'wrap', 'unwrap'],
  Split: ['sign', 'verify', 'encrypt', 'decrypt', 'wrap', 'unwrap'],
  Private: ['sign', 'decrypt', 'unwrap'],
  Public: ['verify', 'encrypt', 'wrap'],
};
