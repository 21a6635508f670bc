// Assembles certificate validation: paths, external sources, and validation of one or many certificates.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Issuers, NameSource, ReadCertificate, Users } from '../certificates/index.ts';
import type { Settings } from '../settings/index.ts';
import { createCertificateWork } from './certificate-work.ts';
import { createChainValidation } from './chain-validation.ts';
import { createDueValidations } from './due-validations.ts';
import { createFindRevocation } from './find-revocation.ts';
import { createExternalSources } from './external-sources.ts';
import { createRevalidationBelow } from './revalidate-below.ts';
import { createRevalidation } from './revalidate.ts';
import type { LookUpRevocation } from './revocation-check.ts';
import { createValidateMany } from './validate-many.ts';
import { createValidator, type Freshness } from './validate.ts';
import { createValidationRuns } from './validation-runs.ts';

export interface ValidationOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly issuers: Issuers;
  readonly users: Users;
  readonly names: NameSource;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  /** Replaces requests to the URLs in other authorities' certificates. */
  readonly lookUpRevocation?: LookUpRevocation | undefined;
}

/** Repeated requests within this time share a download. */
const ON_REQUEST: Freshness = { maxAgeMs: 60_000 };

/** Imports downloaded issuers into the inventory. */
export type ImportIssuers = (issuers: readonly ReadCertificate[], context: RequestContext) => Promise<void>;

export type Validation = ReturnType<typeof createValidation>;

export function createValidation(options: ValidationOptions) {
  const { platform } = options;
  const work = createCertificateWork(options.names);
  const outside = createExternalSources({ ...options, work });
  let importIssuers: ImportIssuers = async () => undefined;
  const validator = createValidator({
    ...options,
    work,
    ...outside,
    adopt: (issuers, context) => importIssuers(issuers, context),
  });
  const many = createValidateMany({ ...options, validator, crls: outside.crls });
  const revalidation = createRevalidation(platform, { ...options, many });
  const revalidationBelow = createRevalidationBelow(platform, { validator });
  return {
    /** Parses certificates and finds paths, in a worker if this takes long. */
    work,
    validator,
    many,
    /** On request by a user, so that a new CRL takes effect immediately. */
    validate: (uuid: string, context: RequestContext) => validator.validate(uuid, context, ON_REQUEST),
    validateChain: createChainValidation(platform, {
      validateChain: (uuid, context) => validator.validateChain(uuid, context, ON_REQUEST),
    }),
    findRevocation: createFindRevocation({ ...options, ...outside }),
    revalidateDue: revalidation.runOnce,
    revalidateBelow: revalidationBelow.runBelow,
    runs: createValidationRuns(platform, { ...options, many }),
    due: createDueValidations(platform, { many }),
    /** The inventory is a higher-level area and connects itself; until then, no issuers are imported. */
    connectInventory: (takeIn: ImportIssuers): void => void (importIssuers = takeIn),
    declareJobs: (): void => {
      revalidation.declare();
      revalidationBelow.declare();
    },
    stopWork: async (): Promise<void> => {
      await Promise.all([work.stop(), many.stop()]);
    },
  };
}
