// Sign-in links: an address that opens a browser session for the caller, once and for a short time. Not part of the
// published interface. Made by a browser session or with the token of the run file, and with no other credential.
import { z } from 'zod';
import { dateTime } from '../primitives.ts';
import { operation } from '../operation.ts';

export const SignInLink = z.object({ url: z.string(), expiresAt: dateTime() }).meta({ id: 'SignInLink' });
export type SignInLink = z.output<typeof SignInLink>;

export const signInLinkOperations = {
  createSignInLink: operation({
    id: 'createSignInLink',
    summary: 'Create a sign-in link for the caller',
    tag: 'Sign-in Links',
    method: 'POST',
    path: '/x/v1/signInLinks',
    success: { status: 201, body: SignInLink },
    errors: [401, 403, 500],
    access: 'authenticated',
    audit: { module: 'auth', resource: 'users', operation: 'login' },
  }),
};
