// Validation of the entire inventory, with its progress. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, int64, uuid } from '../primitives.ts';

export const ValidationRunState = z.enum(['none', 'running', 'finished']).meta({ id: 'ValidationRunState' });
export type ValidationRunState = z.output<typeof ValidationRunState>;

/** The current run or, if none is in progress, the last one. Contains only the state if there has been no run yet. */
export const ValidationRunDto = z
  .object({
    state: ValidationRunState,
    uuid: uuid().optional(),
    startedAt: dateTime().optional(),
    /** Name of the user who started the run. */
    startedBy: z.string().optional(),
    /** Number of certificates at the start of the run, excluding archived ones. */
    total: int64().optional(),
    processed: int64().optional(),
    /** Number of certificates whose status changed. */
    changed: int64().optional(),
    /** Certificates per second of processing time. */
    perSecond: int64().optional(),
    finishedAt: dateTime().optional(),
  })
  .meta({ id: 'ValidationRunDto' });
export type ValidationRunDto = z.output<typeof ValidationRunDto>;

export const validationRunOperations = operations(
  { tag: 'Certificate Validation', resource: 'settings', module: 'certificates', errors: plainErrors },
  {
    getValidationRun: {
      route: 'GET /x/v1/certificates/validationRun',
      summary: 'Get the progress of the validation of all certificates',
      answer: ValidationRunDto,
      access: { resource: 'settings', action: 'detail' },
    },
    /** If a run is already in progress, it is returned. */
    startValidationRun: {
      route: 'POST /x/v1/certificates/validationRun',
      summary: 'Validate all certificates now',
      answer: ValidationRunDto,
      access: { resource: 'settings', action: 'update' },
      audit: 'checkValidation',
    },
  },
);
