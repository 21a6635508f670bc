// Browser sessions of the caller. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { dateTime } from '../primitives.ts';

/** What a session was opened with. */
export const SessionOpening = z
  .enum(['signInLink', 'invitation', 'passkey', 'provider'])
  .meta({ id: 'SessionOpening' });
export type SessionOpening = z.output<typeof SessionOpening>;

export const Session = z
  .object({
    uuid: z.string(),
    /** The session of this call. */
    current: z.boolean(),
    openedWith: SessionOpening,
    createdAt: dateTime(),
    /** Kept to the minute. */
    lastUsedAt: dateTime(),
    /** When it ends, however much it is used; it ends earlier when it is not used. */
    expiresAt: dateTime(),
    /** As the browser named itself when it signed in. */
    userAgent: z.string().optional(),
    /** Where the browser was when it signed in. */
    address: z.string().optional(),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

export const sessionOperations = operations(
  { tag: 'Sessions', resource: 'users', module: 'auth', errors: plainErrors },
  {
    listSessions: {
      route: 'GET /x/v1/sessions',
      summary: 'List own browser sessions',
      answer: z.array(Session),
      access: 'authenticated',
    },
    endOtherSessions: {
      route: 'DELETE /x/v1/sessions',
      summary: 'End all of your browser sessions except the one of this call',
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
