// The inventory half of the area: everything about existing certificates, put together. What creates and revokes them
// is beside it, in the issuing half.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authorities } from '../authorities/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Keys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createBulkChanges } from './bulk/bulk-changes.ts';
import { createSubordinateAdopter } from './callers/adopt-subordinate.ts';
import { createCaCertificates } from './callers/ca-certificates.ts';
import { createFindRevocation } from './callers/find-revocation.ts';
import { createCertificateAccess } from './core/access.ts';
import { createCertificateDetails } from './inventory/detail.ts';
import { createParsedCertificates } from './inventory/parsed.ts';
import { createCheckedCertificates } from './compliance/checked-certificates.ts';
import type { CompliancePort } from './core/compliance-port.ts';
import { createCertificateWork, type CertificateWork } from './validation/certificate-work.ts';
import { createLineage } from './inventory/lineage.ts';
import { createDownloads } from './inventory/download.ts';
import { createCertificateExporter } from './search/export.ts';
import { createImporter, type Imported, type ImportOptions } from './inventory/import.ts';
import type { Issuers } from './core/issuers.ts';
import { createCertificateList } from './search/list.ts';
import type { NameSource, Users } from './core/ports.ts';
import type { RegisteredField } from './core/registered-fields.ts';
import { createDueValidations } from './validation/due-validations.ts';
import { createValidateMany } from './validation/validate-many.ts';
import { createChainValidation } from './validation/chain-validation.ts';
import { createValidationRuns } from './validation/validation-runs.ts';
import { createOutside } from './validation/outside.ts';
import { createRevalidation } from './validation/revalidate.ts';
import { createRevalidationBelow } from './validation/revalidate-below.ts';
import type { LookUpRevocation } from './validation/revocation-check.ts';
import type { Settings } from '../settings/index.ts';
import { createMatchedCertificates } from './search/matched.ts';
import { createRememberedTotals } from './search/store-totals.ts';
import { createCertificateSearch } from './search/search.ts';
import { createSearchForm } from './search/form.ts';
import { createCertificateFields, type CertificateFields } from './search/search-fields.ts';
import { createAppearanceSettler } from './settling/by-appearance.ts';
import { createPersonSettler } from './settling/by-person.ts';
import { createBulkImport } from './importing/import-certificates.ts';
import { createDiscoveredCertificates } from './importing/take-discovered.ts';
import { createRelations } from './inventory/relations.ts';
import { releaseRaProfiles } from './inventory/store-changes.ts';
import { createSearchUpkeep } from './search/upkeep.ts';
import { createUpdater } from './inventory/update.ts';
import { createUploader } from './inventory/upload.ts';
import { createUserCertificates } from './callers/user-certificates.ts';
import { createValidator } from './validation/validate.ts';

export interface InventoryOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid' | 'forUpkeep' | 'create' | 'findByName'>;
  readonly authorities: Pick<Authorities, 'find' | 'subordinates'>;
  readonly keys: Pick<Keys, 'findByPublicKey'>;
  readonly connectors: Pick<Connectors, 'client' | 'facts'>;
  readonly issuers: Issuers;
  readonly users: Users;
  readonly names: NameSource;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  readonly compliance: CompliancePort;
  /** Filled by the areas above as they are created. */
  readonly furtherFields: readonly RegisteredField[];
  /** For certificates of authorities that are not ours. */
  readonly lookUpRevocation?: LookUpRevocation;
}

export type Inventory = ReturnType<typeof createInventory>;

export function createInventory(options: InventoryOptions) {
  const { platform } = options;
  const work = createCertificateWork(options.names);
  const details = createCertificateDetails(options);
  const outside = createOutside({ ...options, work });
  const validator = createValidator({
    ...options,
    work,
    ...outside,
    adopt: async (found, context) => {
      const facts = { options: { note: 'Downloaded as the issuer of a certificate' }, context };
      await platform.database.transaction((tx) => importer.importAll(tx, found, facts));
    },
  });
  const importer = createImporter({ ...options, validator });
  const settleByAppearance = createAppearanceSettler(options);
  const downloads = createDownloads({ ...options, work, details });
  const update = createUpdater({ ...options, validator });
  const adopt = createSubordinateAdopter({ ...options, update });
  const many = createValidateMany({ ...options, validator, crls: outside.crls });
  const revalidation = createRevalidation(platform, { ...options, many });
  const dueValidations = createDueValidations(platform, { many });
  const revalidationBelow = createRevalidationBelow(platform, { validator });

  const fields = createCertificateFields(options.furtherFields);
  const findMatched = createMatchedCertificates({ platform, fields });
  const bulk = createBulkChanges({ ...options, validator, findMatched });
  const upload = createUploader({ ...options, importer, work, validator, settleByAppearance });
  const bulkImport = createBulkImport({ ...options, validator, upload, many });
  const discovered = createDiscoveredCertificates({ ...options, validator, upload, many });
  return {
    ...createSearches(options, fields),
    checked: createCheckedCertificates(platform, { fields }),
    assertVisible: createCertificateAccess(platform),
    ...details,
    ...downloads,
    parsed: createParsedCertificates(platform, options),
    lineage: createLineage(platform),
    validate: validator.validate,
    validateChain: createChainValidation(platform, validator),
    findRevocation: createFindRevocation({ ...options, ...outside }),
    upload,
    importMany: bulkImport.importMany,
    completeImported: bulkImport.complete,
    discovered,
    update,
    declareNotIssued: createPersonSettler(options),
    ...createRelations(options),
    ...bulk,

    /** In the caller's transaction; after the commit `importCommitted` makes the import take effect on this node. */
    importCertificate: importOne({ work, importer }),
    importCommitted: validator.afterChange,

    userCertificates: createUserCertificates({ ...options, importer }),
    caCertificates: createCaCertificates({ ...options, importer, work, validator, details, adopt }),
    onRaProfilesRemoved: (tx: Executor, raProfileUuids: readonly string[]): Promise<void> =>
      releaseRaProfiles(tx, raProfileUuids, platform.clock.now()),
    revalidateDue: revalidation.runOnce,
    revalidateBelow: revalidationBelow.runBelow,
    declareJobs: () => {
      revalidation.declare();
      revalidationBelow.declare();
      bulk.declareChanges();
      bulkImport.declare();
    },
    validationRuns: createValidationRuns(platform, { ...options, many }),
    dueValidations,
    searchUpkeep: createSearchUpkeep(platform),
    stopWork: async (): Promise<void> => {
      await Promise.all([work.stop(), many.stop(), bulkImport.stop(), discovered.stop()]);
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

interface OneImport {
  readonly work: CertificateWork;
  readonly importer: ReturnType<typeof createImporter>;
}

const importOne =
  ({ work, importer }: OneImport) =>
  async (
    tx: Executor,
    der: Uint8Array,
    facts: { readonly options?: ImportOptions; readonly context: RequestContext },
  ): Promise<Imported> => {
    const [imported] = await importer.importAll(tx, [await work.readBounded(der)], facts);
    if (!imported) throw new Error('An import returns one result for each certificate.');
    return imported;
  };
