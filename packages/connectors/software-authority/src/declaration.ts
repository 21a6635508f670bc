// What the connector declares about itself.
import type { FunctionGroupDeclaration } from '@signetry/connector-sdk';
import { CRL_SHARDS_FEATURE } from '@signetry/contract';
import { migrations } from './migrations.ts';

const KIND = 'SoftwareCA';

const functionGroups: readonly FunctionGroupDeclaration[] = [
  { code: 'authorityProvider', kinds: [KIND], features: ['idempotency', 'crl', 'ocspDelegation', CRL_SHARDS_FEATURE] },
];

export const softwareAuthorityDeclaration = {
  name: 'software-authority',
  kind: KIND,
  functionGroups,
  migrations,
} as const;
