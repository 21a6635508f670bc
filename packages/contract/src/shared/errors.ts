// Error response bodies, as documented in the interface for each status.
import { z } from 'zod';
import { int32 } from '../primitives.ts';

/** Describes what was rejected and why. The response also contains `code`, the error's stable name. */
export const ErrorMessageDto = z.object({ message: z.string() }).meta({ id: 'ErrorMessageDto' });
export type ErrorMessageDto = z.output<typeof ErrorMessageDto>;

/** Rejection by the permission model (403), sent as `application/problem+json`. */
export const AuthenticationServiceExceptionDto = z
  .object({ statusCode: int32(), code: z.string(), message: z.string() })
  .meta({ id: 'AuthenticationServiceExceptionDto' });
export type AuthenticationServiceExceptionDto = z.output<typeof AuthenticationServiceExceptionDto>;

/** Problems found by business validation (422), one sentence each. */
export const ProblemList = z.array(z.string());
export type ProblemList = z.output<typeof ProblemList>;
