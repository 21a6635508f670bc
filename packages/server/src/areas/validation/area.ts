// Creates the area.
import type { Area, Platform } from '../../platform/platform.ts';
import type { CertificatesArea } from '../certificates/index.ts';
import { validationRoutes } from './routes.ts';
import { createValidation, type Validation, type ValidationOptions } from './validation.ts';

export interface ValidationParts extends Omit<ValidationOptions, 'platform' | 'issuers' | 'names'> {
  readonly certificates: Pick<CertificatesArea, 'issuers' | 'names' | 'assertVisible'>;
}

export interface ValidationArea
  extends Area, Pick<Validation, 'work' | 'validator' | 'many' | 'validate' | 'findRevocation' | 'connectInventory'> {
  /** Validates certificates that are due and returns their number. Returns 0 while another node is validating. */
  validateDue(signal: AbortSignal): Promise<number>;
}

export function createValidationArea(platform: Platform, { certificates, ...parts }: ValidationParts): ValidationArea {
  const validation = createValidation({ ...parts, platform, ...certificates });
  const { work, validator, many, validate, findRevocation, connectInventory, runs, due } = validation;
  validation.declareJobs();
  return {
    routes: validationRoutes({ ...validation, assertVisible: certificates.assertVisible }),
    start: async () => {
      runs.start();
      due.start();
    },
    stop: async () => {
      await runs.stop();
      await due.stop();
      await validation.stopWork();
    },
    work,
    validator,
    many,
    validate,
    findRevocation,
    connectInventory,
    validateDue: due.runAll,
  };
}
