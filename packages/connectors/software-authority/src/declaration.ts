// The connector's declaration of itself.
import type { FunctionGroupDeclaration } from '@signetry/connector-sdk';
import { CRL_SHARDS_FEATURE, HOLD_FEATURE } from '@signetry/contract';
import { migrations } from './migrations.ts';

const KIND = 'SoftwareCA';

/** Features that both generations of the connector support. */
export const sharedFeatures: readonly string[] = ['idempotency', 'crl', CRL_SHARDS_FEATURE];

const functionGroups: readonly FunctionGroupDeclaration[] = [
  { code: 'authorityProvider', kinds: [KIND], features: [...sharedFeatures, HOLD_FEATURE, 'ocspDelegation'] },
];

export const softwareAuthorityDeclaration = {
  name: 'software-authority',
  kind: KIND,
  functionGroups,
  migrations,
} as const;
