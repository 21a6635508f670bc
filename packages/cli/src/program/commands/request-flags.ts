// Flags of `signetry certificate request`, separate from the command so that help does not load the cryptography.
import type { Flags } from '../command-line/command.ts';
import { customFlag } from '../attributes/custom-flag.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const requestFlags = {
  profile: { value: 'NAME', initial: 'default', about: 'RA profile under which to request the certificate' },
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
    about: 'Type of the new key (default: P-256)',
  },
  out: { value: 'FOLDER', about: 'Directory for the files (default: current directory)' },
  csr: { value: 'FILE', about: 'CSR (PKCS #10) for an existing key; no key is created' },
  wait: { value: 'SECONDS', initial: '120', about: 'Maximum time to wait for the certificate' },
  custom: customFlag,
  ...connectionFlags,
} as const satisfies Flags;
