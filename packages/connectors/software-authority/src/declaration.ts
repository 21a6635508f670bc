// What the connector declares about itself.
import type { FunctionGroupDeclaration } from '@signetry/connector-sdk';
import { CRL_SHARDS_FEATURE } from '@signetry/contract';
import { migrations } from './migrations.ts';

const KIND = 'SoftwareCA';

/** The same for both generations. */
const features: readonly string[] = ['idempotency', 'crl', 'ocspDelegation', CRL_SHARDS_FEATURE];

const functionGroups: readonly FunctionGroupDeclaration[] = [{ code: 'authorityProvider', kinds: [KIND], features }];

export const softwareAuthorityDeclaration = {
  name: 'software-authority',
  kind: KIND,
  features,
  functionGroups,
  migrations,
} as const;
