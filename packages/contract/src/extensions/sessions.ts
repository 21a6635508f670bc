// The caller's browser sessions. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { dateTime } from '../primitives.ts';

/** Credential with which a session was opened. */
export const SessionOpening = z
  .enum(['signInLink', 'invitation', 'passkey', 'provider'])
  .meta({ id: 'SessionOpening' });
export type SessionOpening = z.output<typeof SessionOpening>;

export const Session = z
  .object({
    uuid: z.string(),
    /** Whether this is the session of the current request. */
    current: z.boolean(),
    openedWith: SessionOpening,
    createdAt: dateTime(),
    /** Accurate to the minute. */
    lastUsedAt: dateTime(),
    /** Time at which the session ends even if it is still in use; it ends earlier if it is not used. */
    expiresAt: dateTime(),
    /** User-Agent header of the browser at sign-in. */
    userAgent: z.string().optional(),
    /** IP address of the browser at sign-in. */
    address: z.string().optional(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

export const sessionOperations = operations(
  { tag: 'Sessions', resource: 'users', module: 'auth', errors: plainErrors },
  {
    listSessions: {
      route: 'GET /x/v1/sessions',
      summary: 'List your browser sessions',
      answer: z.array(Session),
      access: 'authenticated',
    },
    endOtherSessions: {
      route: 'DELETE /x/v1/sessions',
      summary: 'End all of your browser sessions except the current one',
      access: 'authenticated',
      audit: 'logout',
    },
    endSession: {
      route: 'DELETE /x/v1/sessions/{uuid}',
      summary: 'End one of your browser sessions',
      errors: objectErrors,
      access: 'authenticated',
      audit: 'logout',
    },
  },
);
