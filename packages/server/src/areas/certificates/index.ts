// The inventory and the life of certificates: issue, renew, rekey, revoke, upload, list, validate. Owns: certificate,
// certificate_content, certificate_request, certificate_history, certificate_operation, certificate_relation,
// certificate_text, certificate_end_entity, issued_certificate, compromised_key. Invariants: an operation is committed
// before its authority is called; what an authority signed is recorded; a serial number is used once per issuer; a
// revocation belongs to issuer and serial number and outlives its row; a state change, its history and its audit record
// are one transaction.
import { found } from '../../kernel/errors.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { Authorities } from '../authorities/index.ts';
import type { UserCertificates } from '../identity/index.ts';
import { createInventory } from './inventory.ts';
import { createIssuing, type IssuingParts } from './issuing.ts';
import { endEntityPasswordColumn } from './operations/end-entity-password.ts';
import { createPlatformCertificates, type PlatformCertificates } from './callers/platform-certificates.ts';
import type { Users } from './core/ports.ts';
import { findOne } from './core/store.ts';
import { createProtocolCertificates, type ProtocolCertificates } from './callers/protocol-certificates.ts';
import type { ProtocolField } from './core/protocol-fields.ts';
import { certificateRoutes } from './routes.ts';

export { isVisibleCertificate, listedRaProfiles } from './core/access.ts';
export type { ProtocolCertificates } from './callers/protocol-certificates.ts';
export type { ProtocolField } from './core/protocol-fields.ts';
export type { RequestFacts } from './core/read-request.ts';
export { readWeakKeyLists, type WeakKeyLists } from './core/weak-key-lists.ts';
export { isCompromisedSql } from './core/store-compromised.ts';
export type { FoundCertificate } from './callers/store-protocols.ts';

export interface CertificateParts extends IssuingParts {
  readonly users: Users;
  readonly authorities: Pick<Authorities, 'find' | 'subordinates'>;
}

export interface CertificatesArea extends Area, PlatformCertificates {
  /** For identity: certificates that users sign in with. */
  readonly userCertificates: UserCertificates;
  /** For the servers of protocols. */
  readonly protocols: ProtocolCertificates;
  /** For the owners of objects that certificates refer to. */
  registerProtocolField(field: ProtocolField): void;
}

export function createCertificatesArea(platform: Platform, parts: CertificateParts): CertificatesArea {
  const issuing = createIssuing(platform, parts);
  const protocolFields: ProtocolField[] = [];
  const inventory = createInventory({ platform, ...parts, issuers: issuing.issuers, protocolFields });
  parts.raProfiles.registerCaCertificates(inventory.caCertificates);
  parts.raProfiles.registerDependants({ onRaProfilesRemoved: inventory.onRaProfilesRemoved });
  inventory.declareJobs();
  return {
    routes: certificateRoutes({ ...parts, platform, issuing, inventory }),
    valueHolders: {
      certificates: async (uuid, context) => {
        await inventory.assertVisible([uuid], context);
        const row = found(await findOne(platform.database.executor, uuid), 'Certificate', uuid);
        return { uuid: row.uuid, name: row.common_name };
      },
    },
    start: async () => {
      await issuing.start();
      inventory.textIndex.start();
    },
    stop: async () => {
      await inventory.textIndex.stop();
      await issuing.stop();
      await inventory.stopWork();
    },
    sealedColumns: () => [endEntityPasswordColumn],
    userCertificates: inventory.userCertificates,
    protocols: createProtocolCertificates({ platform, ...issuing }),
    registerProtocolField: (registered) => void protocolFields.push(registered),
    ...createPlatformCertificates({ platform, issuance: issuing.issuance, inventory }),
  };
}
