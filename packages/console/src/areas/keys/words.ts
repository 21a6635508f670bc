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
export const wordsOfAlgorithm = (item: Sized & Described): string => {
  const algorithm = item.keyAlgorithm === 'Unknown' ? (familyOf(item) ?? 'Other') : item.keyAlgorithm;
  return item.length > 0 ? `${algorithm}, ${item.length.toLocaleString()} bits` : algorithm;
};

interface Described {
  readonly metadata?: KeyItemDetailDto['metadata'];
}

/** `AES`, `Ed25519`: what the provider calls an algorithm that the interface has no word for. */
function familyOf({ metadata = [] }: Described): string | undefined {
  const told = metadata.flatMap(({ items }) => items).find(({ name }) => name === 'meta_keyAlgorithm');
  const [first] = told?.content ?? [];
  return typeof first?.data === 'string' ? first.data : undefined;
}

type Item = Pick<KeyItemDetailDto, 'type' | 'keyAlgorithm'> & Described;

/** Of a secret key nobody knows where its provider does not tell: it is tried then. */
export const canSign = (item: Item): boolean => item.keyAlgorithm !== 'ML-KEM' && familyOf(item) !== 'AES';

/** RSA and AES encrypt; the interface has no operation for ML-KEM. */
export const canCipher = (item: Item): boolean =>
  item.keyAlgorithm === 'RSA' || (isSecret(item) && familyOf(item) !== 'HMAC');

const isSecret = ({ type }: Item): boolean => type === 'Secret' || type === 'Split';

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
