// The built-in software CA as a connector: function group authorityProvider, kind SoftwareCA; and as a first-generation
// connector. Each owns the schema assigned to it (tables in migrations.ts) and is independent of the platform that
// calls it. Owns: authority, issuance, issuance_signature, revocation, crl, crl_shard, shard_crl, end_entity_profiles,
// end_entity, enrollment.
import type { Connector } from '@signetry/connector-sdk';
import { authorityProviderOperations } from '@signetry/contract';
import { keyPurpose } from './authorities/authority-registry.ts';
import { authorityHandlers } from './authority-handlers.ts';
import { certificateHandlers } from './certificate-handlers.ts';
import { softwareAuthorityDeclaration } from './declaration.ts';
import { healthOf } from './health.ts';
import { createParts } from './parts.ts';

export { AUTHORITY } from './attributes/authority-attributes.ts';
export { ISSUE } from './attributes/issue-attributes.ts';
export { PROFILE } from './attributes/ra-profile-settings.ts';
export { REVOKE } from './attributes/revoke-attributes.ts';
export { LEGACY } from './legacy/legacy-attributes.ts';
export { softwareAuthorityLegacy } from './legacy/software-authority-legacy.ts';

export const softwareAuthority: Connector = {
  name: softwareAuthorityDeclaration.name,
  functionGroups: softwareAuthorityDeclaration.functionGroups,
  migrations: softwareAuthorityDeclaration.migrations,
  sealedValues: [{ table: 'authority', key: 'uuid', column: 'sealed_key', purpose: keyPurpose }],
  begunBeforeCommit: [authorityProviderOperations.issueCertificate],
  create(context) {
    const parts = createParts(context);
    return {
      handlers: { ...authorityHandlers(parts, context), ...certificateHandlers(parts, context) },
      health: () => healthOf(parts),
    };
  },
};
