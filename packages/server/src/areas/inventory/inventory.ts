// Assembles the inventory: certificate views, searches, single and bulk changes, and imports.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authorities } from '../authorities/index.ts';
import type { CertificateAccess, CompliancePort, Issuers } from '../certificates/index.ts';
import type { NameSource, RegisteredField, Users } from '../certificates/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { AppearanceSettler } from '../issuing/index.ts';
import type { Keys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { CertificateWork, ValidationArea } from '../validation/index.ts';
import { createBulkChanges } from './bulk/bulk-changes.ts';
import { createCertificateDetails } from './certificate/detail.ts';
import { createDownloads } from './certificate/download.ts';
import { createImporter, type ImportedCertificate, type ImportOptions } from './certificate/import.ts';
import { createLineage } from './certificate/lineage.ts';
import { createParsedCertificates } from './certificate/parsed.ts';
import { createRelations } from './certificate/relations.ts';
import { releaseRaProfiles } from './certificate/store-changes.ts';
import { createUpdater } from './certificate/update.ts';
import { createUploader } from './certificate/upload.ts';
import { createCheckedCertificates } from './compliance/checked-certificates.ts';
import { createSubordinateAdopter } from './importing/adopt-subordinate.ts';
import { createCaCertificates } from './importing/ca-certificates.ts';
import { createBulkImport } from './importing/import-certificates.ts';
import { createDiscoveredCertificates } from './importing/import-discovered.ts';
import { createUserCertificates } from './importing/user-certificates.ts';
import { createCertificateExporter } from './search/export.ts';
import { createSearchForm } from './search/form.ts';
import { createCertificateList } from './search/list.ts';
import { createMatchedCertificates } from './search/matched.ts';
import { createCertificateFields, type CertificateFields } from './search/search-fields.ts';
import { createCertificateSearch } from './search/search.ts';
import { createRememberedTotals } from './search/store-totals.ts';
import { createSearchUpkeep } from './search/upkeep.ts';

export interface InventoryOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid' | 'forUpkeep' | 'create' | 'findByName'>;
  readonly authorities: Pick<Authorities, 'find' | 'subordinates'>;
  readonly keys: Pick<Keys, 'findByPublicKey'>;
  readonly connectors: Pick<Connectors, 'client' | 'facts'>;
  readonly users: Users;
  readonly issuers: Issuers;
  readonly names: NameSource;
  readonly compliance: CompliancePort;
  readonly assertVisible: CertificateAccess;
  readonly validation: Pick<ValidationArea, 'work' | 'validator' | 'many' | 'validate' | 'connectInventory'>;
  /** Resolves undecided operations when the certificates that they were to produce appear. */
  readonly settleByAppearance: AppearanceSettler;
  /** Areas in higher tiers add fields to this list when they are created. */
  readonly furtherFields: readonly RegisteredField[];
}

export type Inventory = ReturnType<typeof createInventory>;

export function createInventory(options: InventoryOptions) {
  const { platform, validation } = options;
  const { work, validator, many } = validation;
  const parts = { ...options, work, validator, many };
  const details = createCertificateDetails(parts);
  const importer = createImporter(parts);
  validation.connectInventory(async (issuers, context) => {
    const facts = { options: { note: 'Downloaded as the issuer of a certificate' }, context };
    await platform.database.transaction((tx) => importer.importAll(tx, issuers, facts));
  });
  const downloads = createDownloads({ ...parts, details });
  const update = createUpdater(parts);
  const adopt = createSubordinateAdopter({ ...parts, update });

  const fields = createCertificateFields(options.furtherFields);
  const findMatched = createMatchedCertificates({ platform, fields });
  const bulk = createBulkChanges({ ...parts, findMatched });
  const upload = createUploader({ ...parts, importer });
  const bulkImport = createBulkImport({ ...parts, upload });
  const discovered = createDiscoveredCertificates({ ...parts, upload });
  return {
    ...createSearches(options, fields),
    checked: createCheckedCertificates(platform, { fields }),
    assertVisible: options.assertVisible,
    ...details,
    ...downloads,
    parsed: createParsedCertificates(platform, options),
    lineage: createLineage(platform),
    validate: validation.validate,
    upload,
    importMany: bulkImport.importMany,
    completeImported: bulkImport.complete,
    discovered,
    update,
    ...createRelations(options),
    ...bulk,

    /** Runs in the caller's transaction; after the commit, `importCommitted` applies the import on this node. */
    importCertificate: importOne({ work, importer }),
    importCommitted: validator.afterChange,

    userCertificates: createUserCertificates({ ...parts, importer }),
    caCertificates: createCaCertificates({ ...parts, importer, details, adopt }),
    onRaProfilesRemoved: (tx: Executor, raProfileUuids: readonly string[]): Promise<void> =>
      releaseRaProfiles(tx, raProfileUuids, platform.clock.now()),
    declareJobs: () => {
      bulk.declareChanges();
      bulkImport.declare();
    },
    searchUpkeep: createSearchUpkeep(platform),
    stopWork: async (): Promise<void> => {
      await Promise.all([bulkImport.stop(), discovered.stop()]);
    },
  };
}

function createSearches(options: InventoryOptions, fields: CertificateFields) {
  const { platform } = options;
  const totals = createRememberedTotals();
  return {
    list: createCertificateList(platform, { fields, totals }),
    search: createCertificateSearch(platform, { fields, totals }),
    exportCsv: createCertificateExporter({ ...options, fields }),
    searchFields: createSearchForm(platform, { ...options, fields }),
  };
}

interface ImportParts {
  readonly work: CertificateWork;
  readonly importer: ReturnType<typeof createImporter>;
}

const importOne =
  ({ work, importer }: ImportParts) =>
  async (
    tx: Executor,
    der: Uint8Array,
    facts: { readonly options?: ImportOptions; readonly context: RequestContext },
  ): Promise<ImportedCertificate> => {
    const [imported] = await importer.importAll(tx, [await work.readBounded(der)], facts);
    if (!imported) throw new Error('The import did not return a result for the certificate.');
    return imported;
  };
