// What became of a change of many certificates, as the published operations answer it.
import type { BulkOperationResponse } from '@signetry/contract';
import { type AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Begun, RefusedCertificate } from './change-many.ts';

/** Reasons that are repeated; the count tells the rest. */
const MAX_REPEATED = 10;

/** `strange`: texts of the request that are no identifiers. */
export function answerOfDeletion({ uuid, total, outcome }: Begun, strange: readonly string[]): BulkOperationResponse {
  const unknown = strange.map((text) => notFound('Certificate', text));
  if (!outcome)
    return {
      status: unknown.length === 0 ? 'SUCCESS' : 'PARTIAL',
      failedItem: unknown.length,
      message: [
        `${total} certificates are being deleted; GET /api/x/v1/certificates/changes/${uuid} tells how far it is.`,
        ...(unknown.length === 0 ? [] : [`Not deleted: ${repeated(unknown)}`]),
      ].join(' '),
    };
  const failures = [...outcome.refused.map(({ error }) => error), ...unknown];
  const deleted = outcome.done.length;
  return {
    status: failures.length === 0 ? 'SUCCESS' : deleted === 0 ? 'FAILED' : 'PARTIAL',
    failedItem: failures.length,
    message: summary(deleted, failures),
  };
}

function summary(deleted: number, failures: readonly AppError[]): string {
  if (failures.length === 0) return `${deleted} ${deleted === 1 ? 'certificate was' : 'certificates were'} deleted.`;
  return `${deleted} of ${deleted + failures.length} certificates were deleted. Not deleted: ${repeated(failures)}`;
}

function repeated(failures: readonly AppError[]): string {
  const rest = failures.length - MAX_REPEATED;
  return `${failures.slice(0, MAX_REPEATED).map(({ message }) => message).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`; // prettier-ignore
}

/** Nothing could be done. */
export function refusalOf(refused: readonly RefusedCertificate[]): AppError {
  const [first] = refused;
  if (first && refused.length === 1) return first.error;
  const rest = refused.length - MAX_REPEATED;
  const named = refused.slice(0, MAX_REPEATED).map(({ error }) => error.message);
  return rejected(...named, ...(rest > 0 ? [`and ${rest} more`] : []));
}
