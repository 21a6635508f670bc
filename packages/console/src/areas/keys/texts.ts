// Display names for keys and key items.
import { keyItemText } from '../../format/key-text.ts';
import type { KeyCompromiseReason, KeyItemDetailDto, KeyType, KeyUsage } from '@signetry/contract';

export const typeTexts: Readonly<Record<KeyType, string>> = {
  Private: 'Private key',
  Public: 'Public key',
  Secret: 'Secret key',
  Split: 'Split key',
};

type KeySize = Pick<KeyItemDetailDto, 'keyAlgorithm' | 'length'>;

/** Formats `RSA, 2048 bits` or `ML-DSA-65`. */
export const describeAlgorithm = (item: KeySize & WithMetadata): string => {
  const algorithm = item.keyAlgorithm === 'Unknown' ? (familyOf(item) ?? 'Other') : item.keyAlgorithm;
  return keyItemText(algorithm, item.length);
};

interface WithMetadata {
  readonly metadata?: KeyItemDetailDto['metadata'];
}

/** Returns the provider's name for an algorithm that the API does not define, e.g. `AES` or `Ed25519`. */
function familyOf({ metadata = [] }: WithMetadata): string | undefined {
  const told = metadata.flatMap(({ items }) => items).find(({ name }) => name === 'meta_keyAlgorithm');
  const [first] = told?.content ?? [];
  return typeof first?.data === 'string' ? first.data : undefined;
}

type Item = Pick<KeyItemDetailDto, 'type' | 'keyAlgorithm'> & WithMetadata;

/** Signing is also offered for secret keys whose algorithm the provider does not report. */
export const canSign = (item: Item): boolean => item.keyAlgorithm !== 'ML-KEM' && familyOf(item) !== 'AES';

/** RSA and AES can encrypt; the API has no operation for ML-KEM. */
export const canCipher = (item: Item): boolean =>
  item.keyAlgorithm === 'RSA' || (isSecret(item) && familyOf(item) !== 'HMAC');

const isSecret = ({ type }: Item): boolean => type === 'Secret' || type === 'Split';

export const reasonTexts: Readonly<Record<KeyCompromiseReason, string>> = {
  disclosure: 'Disclosed, or possibly disclosed',
  modification: 'Modified without authorization',
  substitution: 'Replaced without authorization',
  use_of_sensitive_data: 'Unauthorized use of data that it protects',
};

/** Returns the usages that an item of this type supports; the platform rejects all others. */
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
