// The built-in software CA as a connector: function group authorityProvider, kind SoftwareCA. It owns the schema it is
// given (tables in migrations.ts) and knows nothing of the platform that calls it.
// Owns: authority, issuance, issuance_signature, revocation, crl, crl_shard, shard_crl.
import type { Connector } from '@signetry/connector-sdk';
import type { HealthDto } from '@signetry/contract';
import { keyPurpose } from './authorities/authority-registry.ts';
import { authorityHandlers } from './authority-handlers.ts';
import { certificateHandlers } from './certificate-handlers.ts';
import { softwareAuthorityDeclaration } from './declaration.ts';
import { createParts } from './parts.ts';

export { AUTHORITY } from './attributes/authority-attributes.ts';
export { ISSUE } from './attributes/issue-attributes.ts';
export { PROFILE } from './attributes/ra-profile-settings.ts';
export { REVOKE } from './attributes/revoke-attributes.ts';

export const softwareAuthority: Connector = {
  name: softwareAuthorityDeclaration.name,
  functionGroups: softwareAuthorityDeclaration.functionGroups,
  migrations: softwareAuthorityDeclaration.migrations,
  sealedValues: [{ table: 'authority', key: 'uuid', column: 'sealed_key', purpose: keyPurpose }],
  create(context) {
    const parts = createParts(context);
    return {
      handlers: { ...authorityHandlers(parts, context), ...certificateHandlers(parts, context) },
      async health(): Promise<HealthDto> {
        const database: HealthDto = { status: 'ok' };
        try {
          const problem = await parts.guard.problem();
          if (problem === undefined) return { status: 'ok', parts: { database, clock: { status: 'ok' } } };
          return { status: 'nok', parts: { database, clock: { status: 'nok', description: problem } } };
        } catch {
          const description = 'The database does not answer.';
          return { status: 'nok', parts: { database: { status: 'nok', description } } };
        }
      },
    };
  },
};
