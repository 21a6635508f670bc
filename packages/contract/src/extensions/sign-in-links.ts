// Sign-in links: a URL that opens a browser session for the caller, once and for a short time. Not part of the
// published interface. Created by a browser session or with the token of the run file, and with no other credential.
import { z } from 'zod';
import { dateTime } from '../primitives.ts';
import { operations } from '../operations.ts';

export const SignInLink = z.object({ url: z.string(), expiresAt: dateTime() }).meta({ id: 'SignInLink' });
export type SignInLink = z.output<typeof SignInLink>;

export const signInLinkOperations = operations(
  { tag: 'Sign-in Links', resource: 'users', module: 'auth', errors: [401, 403, 500] },
  {
    createSignInLink: {
      route: 'POST /x/v1/signInLinks',
      summary: 'Create a sign-in link for the caller',
      created: SignInLink,
      access: 'authenticated',
      audit: 'create',
    },
  },
);
