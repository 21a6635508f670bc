// Creates the area and registers it with areas of lower tiers.
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { Executor } from '../../platform/database/database.ts';
import { ownerPrivileges } from '../identity/index.ts';
import type { Keys } from '../keys/index.ts';
import type { Oids } from '../oids/index.ts';
import { createCertificateAccess, findBelongings, type CertificateAccess } from './access.ts';
import { assertChangeable } from './changeable.ts';
import { createCompliancePort, type CompliancePort } from './compliance-port.ts';
import { publishCertificateEvents } from './events/describe.ts';
import { createIssuers, type Issuers } from './issuers.ts';
import { createLocationsPort, type LocationsPort } from './locations-port.ts';
import { createNameRewriting } from './names/rewrite-names.ts';
import type { NameSource, Users } from './ports.ts';
import { countCertificatesOfKeys, findAwaitedCertificatesOfKeys, findCertificatesOfKeys } from './store-keys.ts';
import { historyRetention } from './store-history.ts';
import { findStatuses, type InventoryStatus, type IssuerIdentity } from './store-status.ts';
import { findCertificate, findContent, ownsCertificates } from './store.ts';
import type { CertificateRow } from './tables.ts';

export interface CertificateParts {
  readonly users: Pick<Users, 'registerPowers'>;
  readonly keys: Pick<Keys, 'registerUsers'>;
  readonly oids: Pick<Oids, 'names' | 'readNames' | 'registerNameHolder'>;
}

export interface CertificatesArea extends Area {
  /** Rejects certificates that the caller cannot see, and changes to those that the caller can only view. */
  readonly assertVisible: CertificateAccess;
  readonly issuers: Issuers;
  readonly names: NameSource;
  /** The compliance area connects itself here. */
  readonly compliance: CompliancePort;
  /** The locations area connects itself here. */
  readonly locations: LocationsPort;
  /** Returns a certificate object's state, serial number, revocation reason and content. */
  find(uuid: string): Promise<FoundObject | undefined>;
  /** Returns the status of certificates by issuer and serial number; every call reads the database. */
  findStatuses(issuer: IssuerIdentity, serialNumbers: readonly string[]): Promise<readonly InventoryStatus[]>;
}

export function createCertificatesArea(platform: Platform, { users, keys, oids }: CertificateParts): CertificatesArea {
  const { executor, hot } = platform.database;
  const assertVisible = createCertificateAccess(platform);
  users.registerPowers(ownerPrivileges('certificates', ownsCertificates));
  registerKeyUse(keys);
  publishCertificateEvents(platform.events);
  const rewriting = createNameRewriting(platform, oids);
  rewriting.declare();
  oids.registerNameHolder(rewriting.enqueue);
  return {
    belongings: { certificates: findBelongings },
    retentionPolicies: [historyRetention],
    valueHolders: {
      certificates: async (uuid: string, context: RequestContext) => {
        await assertVisible([uuid], { context, action: 'update' });
        const row = requireFound(await findCertificate(executor, uuid), 'Certificate', uuid);
        assertChangeable(row);
        return { uuid: row.uuid, name: row.common_name };
      },
    },
    assertVisible,
    issuers: createIssuers({ executor, clock: platform.clock }),
    names: oids.names,
    compliance: createCompliancePort(),
    locations: createLocationsPort(),
    find: (uuid) => findObject(executor, uuid),
    findStatuses: (issuer, serialNumbers) => findStatuses(hot, issuer, serialNumbers),
  };
}

/** A key is not destroyed while a certificate can still be issued for it. */
function registerKeyUse(keys: CertificateParts['keys']): void {
  keys.registerUsers({
    resource: 'certificates',
    preventing: {
      why: 'certificates are being issued for it',
      help: 'Wait until their outcome is known, or resolve them on their pages.',
      find: findAwaitedCertificatesOfKeys,
    },
    find: findCertificatesOfKeys,
    count: countCertificatesOfKeys,
  });
}

/** A certificate object for areas that know certificates only by identifier. */
interface FoundObject {
  readonly state: string;
  readonly serialNumber: string | null;
  readonly revocationReason: CertificateRow['revocation_reason'];
  /** Undefined until it is issued. */
  readonly der: Uint8Array | undefined;
}

async function findObject(executor: Executor, uuid: string): Promise<FoundObject | undefined> {
  const row = await findCertificate(executor, uuid);
  if (!row) return undefined;
  return {
    state: row.state,
    serialNumber: row.serial_number,
    revocationReason: row.revocation_reason,
    der: row.fingerprint === null ? undefined : await findContent(executor, row),
  };
}
