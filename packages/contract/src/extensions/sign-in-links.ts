// Sign-in links: a short-lived, single-use URL that opens a browser session for the caller. Not part of the published
// interface. They can be created only with a browser session or the token in the run file.
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
