// Enumerations for keys, tokens and cryptographic operations.
import { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** CRYSTALS-Dilithium and SPHINCS+ are deprecated names for ML-DSA and SLH-DSA; old records still use them. */
export const KeyAlgorithm = enumeration('KeyAlgorithm', {
  RSA: 'RSA',
  ECDSA: 'ECDSA',
  FALCON: 'FALCON',
  'ML-DSA': 'ML-DSA',
  'SLH-DSA': 'SLH-DSA',
  'ML-KEM': 'ML-KEM',
  'CRYSTALS-Dilithium': 'CRYSTALS-Dilithium',
  'SPHINCS+': 'SPHINCS+',
  Unknown: 'Unknown',
});
export type KeyAlgorithm = z.output<typeof KeyAlgorithm>;

export const KeyFormat = enumeration('KeyFormat', {
  Raw: 'Raw',
  SubjectPublicKeyInfo: 'SubjectPublicKeyInfo',
  PrivateKeyInfo: 'PrivateKeyInfo',
  EncryptedPrivateKeyInfo: 'EncryptedPrivateKeyInfo',
  Custom: 'Custom',
});
export type KeyFormat = z.output<typeof KeyFormat>;

export const KeyState = enumeration('KeyState', {
  'pre-active': 'Pre-active',
  active: 'Active',
  deactivated: 'Deactivated',
  compromised: 'Compromised',
  destroyed: 'Destroyed',
  destroyedCompromised: 'Destroyed Compromised',
});
export type KeyState = z.output<typeof KeyState>;

export const KeyType = enumeration('KeyType', {
  Secret: 'Secret key',
  Public: 'Public key',
  Private: 'Private key',
  Split: 'Split key',
});
export type KeyType = z.output<typeof KeyType>;

export const KeyUsage = enumeration('KeyUsage', {
  sign: 'Sign',
  verify: 'Verify',
  encrypt: 'Encrypt',
  decrypt: 'Decrypt',
  wrap: 'Wrap key',
  unwrap: 'Unwrap key',
});
export type KeyUsage = z.output<typeof KeyUsage>;

/** Events in a key item's history. The wire codes are also the labels. */
export const KeyEvent = z
  .enum([
    'Create Key',
    'Compromised Key',
    'Destroy Key',
    'Update Key Usages',
    'Sign Data',
    'Verify Data',
    'Encrypt Data',
    'Decrypt Data',
    'Enable Key',
    'Disable Key',
  ])
  .meta({ id: 'KeyEvent' });
export type KeyEvent = z.output<typeof KeyEvent>;

export const KeyEventStatus = z.enum(['SUCCESS', 'FAILED']).meta({ id: 'KeyEventStatus' });
export type KeyEventStatus = z.output<typeof KeyEventStatus>;

export const KeyRequestType = enumeration('KeyRequestType', {
  secret: 'Secret key',
  keyPair: 'Key pair',
});
export type KeyRequestType = z.output<typeof KeyRequestType>;

export const KeyCompromiseReason = enumeration('KeyCompromiseReason', {
  disclosure: 'Unauthorized disclosure',
  modification: 'Unauthorized modification',
  substitution: 'Unauthorized substitution',
  use_of_sensitive_data: 'Unauthorized use of sensitive data',
});
export type KeyCompromiseReason = z.output<typeof KeyCompromiseReason>;

export const TokenInstanceStatus = enumeration('TokenInstanceStatus', {
  Connected: 'Connected',
  Disconnected: 'Disconnected',
  Activated: 'Activated',
  Deactivated: 'Deactivated',
  Warning: 'Warning',
  Unknown: 'Unknown',
});
export type TokenInstanceStatus = z.output<typeof TokenInstanceStatus>;

export const DigestAlgorithm = enumeration('DigestAlgorithm', {
  MD5: 'MD5',
  'SHA-1': 'SHA-1',
  'SHA-224': 'SHA-224',
  'SHA-256': 'SHA-256',
  'SHA-384': 'SHA-384',
  'SHA-512': 'SHA-512',
  'SHA3-256': 'SHA3-256',
  'SHA3-384': 'SHA3-384',
  'SHA3-512': 'SHA3-512',
});
export type DigestAlgorithm = z.output<typeof DigestAlgorithm>;

export const RsaSignatureScheme = enumeration('RsaSignatureScheme', {
  'PKCS1-v1_5': 'PKCS#1 v1.5',
  PSS: 'PSS',
});
export type RsaSignatureScheme = z.output<typeof RsaSignatureScheme>;

export const RsaEncryptionScheme = enumeration('RsaEncryptionScheme', {
  'PKCS1-v1_5': 'PKCS#1 v1.5',
  OAEP: 'OAEP',
});
export type RsaEncryptionScheme = z.output<typeof RsaEncryptionScheme>;

/** Bit that represents each usage in a stored usage mask. */
export const keyUsageBit: Readonly<Record<KeyUsage, number>> = {
  sign: 1,
  verify: 2,
  encrypt: 4,
  decrypt: 8,
  wrap: 16,
  unwrap: 32,
};
