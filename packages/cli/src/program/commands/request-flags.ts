// Flags of `signetry certificate request`, apart from the command so that help need not load the cryptography.
import type { Flags } from '../command-line/command.ts';
import { customFlag } from '../attributes/custom-flag.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const requestFlags = {
  profile: { value: 'NAME', initial: 'default', about: 'RA profile to issue under' },
  'key-type': {
    value: 'TYPE',
    choices: [
      'P-256',
      'P-384',
      'P-521',
      'RSA-2048',
      'RSA-3072',
      'RSA-4096',
      'Ed25519',
      'Ed448',
      'ML-DSA-44',
      'ML-DSA-65',
      'ML-DSA-87',
    ],
    about: 'Kind of the new key; P-256 when not given',
  },
  out: { value: 'FOLDER', about: 'Folder for the files; the current one when not given' },
  csr: { value: 'FILE', about: 'Certification request (PKCS#10) of an existing key; no key is created' },
  wait: { value: 'SECONDS', initial: '120', about: 'How long to wait for the certificate' },
  custom: customFlag,
  ...connectionFlags,
} as const satisfies Flags;
