// Validation of the whole inventory at once, with its progress. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, int64, uuid } from '../primitives.ts';

export const ValidationRunState = z.enum(['none', 'running', 'finished']).meta({ id: 'ValidationRunState' });
export type ValidationRunState = z.output<typeof ValidationRunState>;

/** The run that is under way, or the last one; nothing but the state when there was none yet. */
export const ValidationRunDto = z
  .object({
    state: ValidationRunState,
    uuid: uuid().optional(),
    startedAt: dateTime().optional(),
    /** Name of the user. */
    startedBy: z.string().optional(),
    /** Certificates that are not archived, counted when it began. */
    total: int64().optional(),
    processed: int64().optional(),
    /** Those that got another status. */
    changed: int64().optional(),
    /** Certificates per second, over the time that was worked. */
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
    /** While one is under way, answers that one. */
    startValidationRun: {
      route: 'POST /x/v1/certificates/validationRun',
      summary: 'Validate all certificates now',
      answer: ValidationRunDto,
      access: { resource: 'settings', action: 'update' },
      audit: 'checkValidation',
    },
  },
);
