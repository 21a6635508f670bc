// The inventory and the life of certificates: issue, renew, rekey, revoke, upload, list, validate. Owns: certificate,
// certificate_content, certificate_request, certificate_history, certificate_operation, certificate_relation,
// certificate_text, certificate_block, certificate_block_delta, certificate_end_entity, certificate_check,
// certificate_validation_run, certificate_change, certificate_change_item, issued_certificate, compromised_key.
// Invariants: an operation is committed before its authority is called; what an authority signed is recorded; a serial
// number is issued once per issuer; a revocation belongs to issuer and serial number and outlives its row; a state
// change, its history and its audit record are one transaction.
import type { CertificateDto } from '@signetry/contract';
import { historyRetention } from './inventory/store-old-history.ts';
import { derivedDataOfSearches } from './search/upkeep.ts';
import { found } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { Authorities } from '../authorities/index.ts';
import { ownerPowers, type UserCertificates } from '../identity/index.ts';
import type { Oids } from '../oids/index.ts';
import type { Settings } from '../settings/index.ts';
import { deleteUnusedContents } from './bulk/store-deletion.ts';
import { countWaiting } from './approving/store.ts';
import type { CheckedCertificates } from './compliance/checked-certificates.ts';
import { createCompliancePort, type ComplianceGate } from './core/compliance-port.ts';
import { createLocationsPort, type HoldingLocations } from './core/locations-port.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { publishCertificateEvents } from './events/describe.ts';
import { createIssuing, type IssuingParts } from './issuing.ts';
import { endEntityPasswordColumn } from './operations/end-entity-password.ts';
import type { FindRevocation } from './callers/find-revocation.ts';
import { createHeldCertificates, type HeldCertificates } from './callers/held-certificates.ts';
import { createPlatformCertificates, type PlatformCertificates } from './callers/platform-certificates.ts';
import type { Users } from './core/ports.ts';
import { findBelongings, type CertificateAccess } from './core/access.ts';
import { countOfKeys, findAwaitedOfKeys, findOfKeys } from './core/store-keys.ts';
import { findOne, ownsAny } from './core/store.ts';
import { assertChangeable } from './core/changeable.ts';
import { createProtocolCertificates, type ProtocolCertificates } from './callers/protocol-certificates.ts';
import type { RegisteredField } from './core/registered-fields.ts';
import { presentAll } from './inventory/present-with-groups.ts';
import { findInOrder } from './inventory/store.ts';
import type { Update } from './inventory/update.ts';
import { createNameRewriting } from './names/rewrite-names.ts';
import type { DiscoveredCertificates } from './importing/take-discovered.ts';
import { declareKeyDestruction } from './revoking/destroy-key.ts';
import { createRequestMaker } from './requesting/request-with-key.ts';
import { certificateRoutes } from './routes.ts';

export { describeCertificates } from './events/describe.ts';
export { isHeldCertificate, listedRaProfiles, visibleCertificates } from './core/access.ts';
export type { CertificateAccess, CertificateFilter } from './core/access.ts';
export { lifetimeDays } from './core/store-lifetime.ts';
export { isSucceeded } from './core/store-succession.ts';
export { findListed, isVisibleCertificate } from './core/store-visible.ts';
export type { HeldCertificate, HeldCertificates, TakenIn } from './callers/held-certificates.ts';
export type { ProtocolCertificates, ProtocolOutcome } from './callers/protocol-certificates.ts';
export type { RegisteredField } from './core/registered-fields.ts';
export type { RequestFacts } from './core/read-request.ts';
export type { CheckedCertificate, CheckedCertificates } from './compliance/checked-certificates.ts';
export type { ComplianceGate } from './core/compliance-port.ts';
export type { WithReservation } from './core/locations-port.ts';
export { readWeakKeyLists, type WeakKeyLists } from './core/weak-key-lists.ts';
export { isCompromisedSql } from './core/store-compromised.ts';
export type { DiscoveredCertificates, ReadDiscovered, TakenCertificate } from './importing/take-discovered.ts';
export type { FoundCertificate } from './callers/store-protocols.ts';

export interface CertificateParts extends Omit<IssuingParts, 'names' | 'compliance' | 'locations'> {
  readonly users: Users;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  readonly authorities: Pick<Authorities, 'find' | 'subordinates'>;
  readonly oids: Pick<Oids, 'names' | 'readNames' | 'registerNameHolder'>;
}

export interface CertificatesArea extends Area, PlatformCertificates {
  /** For identity: certificates that users sign in with. */
  readonly userCertificates: UserCertificates;
  /** For the servers of protocols. */
  readonly protocols: ProtocolCertificates;
  /** For the servers of protocols: whether a certificate of another authority, or one above it, is revoked. */
  readonly findRevocation: FindRevocation;
  /** For places that hold certificates. */
  readonly held: HeldCertificates;
  /** The area of such places says where a certificate is, and has successors take its place. */
  registerLocations(locations: HoldingLocations): void;
  /** For discoveries: takes in what they find. */
  readonly discovered: Omit<DiscoveredCertificates, 'stop'>;
  /** Deletes the contents that no certificate and no discovery has any more; the fingerprints are in order. */
  deleteUnusedContents(tx: Executor, fingerprints: readonly string[]): Promise<void>;
  /** As lists show them, in the order given; those that were deleted are left out. */
  presentListed(uuids: readonly string[]): Promise<CertificateDto[]>;
  /** Refuses certificates that the caller does not see, and to change those that they only see. */
  readonly assertVisible: CertificateAccess;
  /**
   * Validates what is due now, and answers how many there were; 0 while another node does so.
   */
  validateDue(signal: AbortSignal): Promise<number>;
  /** For whoever checks compliance. */
  readonly checked: CheckedCertificates;
  connectCompliance(gate: ComplianceGate): void;
  /** Changes what people assign to a certificate. */
  readonly update: Update;
  /** For the owners of objects that certificates refer to, or are referred to by. */
  registerSearchField(field: RegisteredField): void;
}

export function createCertificatesArea(platform: Platform, given: CertificateParts): CertificatesArea {
  const compliance = createCompliancePort();
  const locations = createLocationsPort();
  const parts = { ...given, compliance, locations, names: given.oids.names };
  const issuing = createIssuing(platform, parts);
  const furtherFields: RegisteredField[] = [];
  const inventory = createInventory({ platform, ...parts, issuers: issuing.issuers, furtherFields });
  registerWithOthers(parts, inventory);
  given.users.registerPowers(ownerPowers('certificates', ownsAny));
  publishCertificateEvents(platform.events);
  declareKeyDestruction(platform, parts.keys);
  inventory.declareJobs();
  const rewriting = createNameRewriting(platform, given.oids);
  rewriting.declare();
  given.oids.registerNameHolder(rewriting.enqueue);
  return {
    routes: certificateRoutes({
      ...parts,
      platform,
      issuing,
      inventory,
      requests: createRequestMaker(parts),
      findLocations: locations.find,
    }),
    belongings: { certificates: findBelongings },
    derivedData: derivedDataOfSearches(platform),
    retentionPolicies: [historyRetention],
    ruleFields: {
      certificates: (context, { settable }) => inventory.searchFields(context, settable ? 'settable' : 'rules'),
    },
    valueHolders: {
      certificates: async (uuid, context) => {
        await inventory.assertVisible([uuid], { context, action: 'update' });
        const row = found(await findOne(platform.database.executor, uuid), 'Certificate', uuid);
        assertChangeable(row);
        return { uuid: row.uuid, name: row.common_name };
      },
    },
    start: async () => {
      await issuing.start();
      await inventory.resumeChanges();
      inventory.searchUpkeep.start();
      inventory.validationRuns.start();
      inventory.dueValidations.start();
    },
    stop: async () => {
      await inventory.searchUpkeep.stop();
      await inventory.validationRuns.stop();
      await inventory.dueValidations.stop();
      await issuing.stop();
      await inventory.stopWork();
    },
    sealedColumns: () => [endEntityPasswordColumn],
    userCertificates: inventory.userCertificates,
    findRevocation: inventory.findRevocation,
    protocols: createProtocolCertificates({ platform, ...issuing, names: parts.names }),
    held: createHeldCertificates({ platform, issuing, inventory, ...parts }),
    validateDue: inventory.dueValidations.runAll,
    registerLocations: locations.connect,
    discovered: inventory.discovered,
    deleteUnusedContents,
    presentListed: (uuids) => presentListed(platform.database.executor, uuids),
    assertVisible: inventory.assertVisible,
    checked: inventory.checked,
    update: inventory.update,
    connectCompliance: compliance.connect,
    registerSearchField: (registered) => void furtherFields.push(registered),
    ...createPlatformCertificates({ platform, issuance: issuing.issuance, inventory, names: parts.names }),
  };
}

const presentListed = async (executor: Executor, uuids: readonly string[]): Promise<CertificateDto[]> =>
  presentAll(executor, await findInOrder(executor, uuids));

/** What areas of lower tiers have to know of certificates. */
function registerWithOthers({ raProfiles, keys }: CertificateParts, inventory: Inventory): void {
  raProfiles.registerCaCertificates(inventory.caCertificates);
  raProfiles.registerDependants({
    reasonsToKeep: async (executor, raProfileUuid) => {
      const waiting = await countWaiting(executor, raProfileUuid);
      return waiting === 0
        ? []
        : [`operations on certificates wait for approval (${waiting}); have them decided first`];
    },
    onRaProfilesRemoved: inventory.onRaProfilesRemoved,
  });
  keys.registerUsers({
    resource: 'certificates',
    preventing: {
      why: 'certificates are being issued for it',
      help: 'Wait until their outcome is known, or end them on their pages.',
      find: findAwaitedOfKeys,
    },
    find: findOfKeys,
    count: countOfKeys,
  });
}
