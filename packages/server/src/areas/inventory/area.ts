// Creates the area and registers it with areas in lower tiers.
import type { CertificateDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { Approvals } from '../approvals/index.ts';
import type { CertificatesArea, RegisteredField } from '../certificates/index.ts';
import type { UserCertificates } from '../identity/index.ts';
import type { IssuingArea } from '../issuing/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { deleteUnusedContents } from './bulk/store-deletion.ts';
import { createCertificateChains, type CertificateChains } from './certificate/chains.ts';
import { presentAll } from './certificate/present-with-groups.ts';
import { findInOrder } from './certificate/store.ts';
import type { Update } from './certificate/update.ts';
import type { CheckedCertificates } from './compliance/checked-certificates.ts';
import { createHeldCertificates, type HeldCertificateParts, type HeldCertificates } from './held-certificates.ts';
import type { DiscoveredCertificates } from './importing/import-discovered.ts';
import { createInventory, type InventoryOptions } from './inventory.ts';
import { certificateRoutes } from './routes.ts';
import { derivedDataOfSearches } from './search/upkeep.ts';

export interface InventoryParts extends Omit<
  InventoryOptions,
  'platform' | 'issuers' | 'names' | 'compliance' | 'assertVisible' | 'settleByAppearance' | 'furtherFields'
> {
  readonly certificates: CertificatesArea;
  readonly issuing: IssuingArea;
  readonly approvals: Pick<Approvals, 'listOfObject'>;
  readonly raProfiles: InventoryOptions['raProfiles'] &
    Pick<RaProfiles, 'registerCaCertificates' | 'registerDependants'>;
  readonly keys: InventoryOptions['keys'] & HeldCertificateParts['keys'];
}

export interface InventoryArea extends Area, CertificateChains {
  /** For the identity area: the certificates that users sign in with. */
  readonly userCertificates: UserCertificates;
  /** For locations that hold certificates. */
  readonly held: HeldCertificates;
  /** For discoveries: imports the certificates that they find. */
  readonly discovered: Omit<DiscoveredCertificates, 'stop'>;
  /** Deletes contents that are not referenced by any certificate or discovery. The fingerprints must be sorted. */
  deleteUnusedContents(tx: Executor, fingerprints: readonly string[]): Promise<void>;
  /** Returns certificates as shown in lists, in the given order; deleted certificates are omitted. */
  presentListed(uuids: readonly string[]): Promise<CertificateDto[]>;
  /** For compliance checks. */
  readonly checked: CheckedCertificates;
  /** Changes the RA profile, groups, owner or trust of a certificate. */
  readonly update: Update;
  /** For areas whose objects reference certificates or are referenced by them. */
  registerSearchField(field: RegisteredField): void;
}

export function createInventoryArea(platform: Platform, given: InventoryParts): InventoryArea {
  const { certificates, issuing, ...areas } = given;
  const { executor } = platform.database;
  const furtherFields: RegisteredField[] = [];
  const { settleByAppearance } = issuing;
  const parts = { ...areas, ...certificates, platform, settleByAppearance, furtherFields };
  const inventory = createInventory(parts);
  const { searchUpkeep } = inventory;
  inventory.declareJobs();
  areas.raProfiles.registerCaCertificates(inventory.caCertificates);
  areas.raProfiles.registerDependants({ onRaProfilesRemoved: inventory.onRaProfilesRemoved });
  return {
    routes: certificateRoutes({ ...parts, inventory, issuing, findLocations: certificates.locations.find }),
    derivedData: derivedDataOfSearches(platform),
    ruleFields: {
      certificates: (context, { settable }) => inventory.searchFields(context, settable ? 'settable' : 'rules'),
    },
    start: async () => {
      await inventory.resumeChanges();
      searchUpkeep.start();
    },
    stop: async () => {
      await searchUpkeep.stop();
      await inventory.stopWork();
    },
    ...createCertificateChains(platform, inventory),
    userCertificates: inventory.userCertificates,
    held: createHeldCertificates({ ...parts, issuing, inventory }),
    discovered: inventory.discovered,
    deleteUnusedContents,
    presentListed: async (uuids) => presentAll(executor, await findInOrder(executor, uuids)),
    checked: inventory.checked,
    update: inventory.update,
    registerSearchField: (registered) => void furtherFields.push(registered),
  };
}
