// Signs in with a discoverable passkey offered by the browser; no username is entered. Every failure returns the same
// response after the same work: a signature is verified even if the passkey does not exist.
import type { PasskeyAssertion } from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PasskeyRow, UserRow } from '../tables.ts';
import * as users from '../users/store.ts';
import { CHALLENGE_LIFETIME_MS, type Challenges } from './challenges.ts';
import { failedSignIns } from './failed-sign-ins.ts';
import { openSession, type OpenSessionParts, type SignInRequest } from './open-session.ts';
import { userHandle } from './passkey-registration.ts';
import type { RelyingParty } from './relying-party.ts';
import type { OpenedSession } from './sessions.ts';
import * as store from './store-passkeys.ts';
import { verifyAssertion } from './webauthn.ts';

/** COSE public key that belongs to no user, so that verification takes the same time without a passkey. */
const NOBODYS_KEY = Buffer.from(
  'pQECAyYgASFYIArsSYlwwxM2ugL1xODm2GoLG529un8p0VLDUR_6aPr4IlggOLWmWi9gqHXZUaDL82YEZ2bJ2mORqb6IQNSkEqFRWpI',
  'base64url',
);
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: 'required';
  readonly allowCredentials: readonly [];
}

export interface PasskeySignInParts extends OpenSessionParts {
  readonly challenges: Challenges;
}

interface Attempt extends SignInRequest {
  readonly party: RelyingParty;
}

/** Facts about an assertion, all gathered before any decision. */
interface Facts {
  readonly passkey: PasskeyRow | undefined;
  readonly user: UserRow | undefined;
  readonly hasChallenge: boolean;
  /** Undefined if the assertion is invalid. */
  readonly signCount: number | undefined;
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;

export function createPasskeySignIn(platform: Platform, parts: PasskeySignInParts) {
  const { database, clock, limits } = platform;
  const { audit, sessions, challenges } = parts;

  async function start({ origin, host }: RelyingParty): Promise<PasskeyRequestOptions> {
    const challenge = await challenges.issue({ origin });
    return {
      challenge,
      rpId: host,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
      allowCredentials: [],
    };
  }

  /** Opens a session. Otherwise rejects the sign-in and counts the failure by user and address. */
  async function signIn(assertion: PasskeyAssertion, attempt: Attempt): Promise<OpenedSession> {
    const passkey = await store.findByCredential(database.executor, Buffer.from(assertion.id, 'base64url'));
    const failed = failedSignIns(limits, passkey?.user_uuid ?? assertion.id, attempt);
    await failed.assertFew();
    const facts = await gather(assertion, passkey, attempt.party);
    const refusal = rejectionOf(facts, assertion, attempt.party);
    const opened = refusal ?? (await open(facts, attempt));
    if (typeof opened !== 'string') return opened;
    await record(facts, opened, attempt);
    await failed.count();
    throw new AppError('sign_in_refused', {
      what: 'This passkey',
      help: 'use a different one, or ask an administrator for an invitation',
    });
  }

  async function gather(
    assertion: PasskeyAssertion,
    passkey: PasskeyRow | undefined,
    party: RelyingParty,
  ): Promise<Facts> {
    const taken = await challenges.take(assertion.response.clientDataJSON, { origin: party.origin });
    const user = await users.findOne(database.executor, passkey?.user_uuid ?? NOBODY);
    const publicKey = passkey?.public_key ?? NOBODYS_KEY;
    const signCount = await verifyAssertion(assertion, { challenge: taken?.challenge ?? '', party, publicKey });
    return { passkey, user, hasChallenge: taken !== undefined, signCount };
  }

  /** Returns the session, or the reason for the rejection. */
  async function open({ passkey, user, signCount }: Facts, attempt: Attempt): Promise<OpenedSession | string> {
    if (!passkey || !user || signCount === undefined) throw new Error('A rejected assertion must not open a session.');
    const opened = await database.transaction(async (tx) => {
      const counted = await store.recordUse(tx, { uuid: passkey.uuid, signCount, usedAt: clock.now() });
      return counted ? openSession(parts, tx, user, { ...attempt, openedWith: 'passkey', passkey }) : undefined;
    });
    sessions.forget();
    return opened ?? `its signature counter (${signCount}) did not increase, which indicates a copy of its key`;
  }

  /**
   * Records a rejected passkey for administrators. Records of unknown passkeys are aggregated, because anyone can send
   * them.
   */
  async function record({ passkey, user }: Facts, reason: string, { context }: Attempt): Promise<void> {
    const facts = { module: 'auth', resource: 'users', operation: 'authentication' } as const;
    const message = `A passkey was rejected: ${reason}.`;
    if (!passkey || !user)
      return audit.recordRefusalOf(networkOf(context.source?.ipAddress ?? ''), context, { facts, message });
    return audit.append(database.executor, context, {
      facts,
      result: 'failure',
      message,
      objects: [{ uuid: user.uuid, name: user.username }],
      data: { passkey: { uuid: passkey.uuid, name: passkey.name } },
    });
  }

  return { start, signIn };
}

/** Returns the reason for the rejection, as worded in the audit log; undefined if the sign-in is not rejected. */
function rejectionOf(
  { passkey, user, hasChallenge, signCount }: Facts,
  { response }: PasskeyAssertion,
  { host }: RelyingParty,
): string | undefined {
  if (!hasChallenge) return 'its challenge is unknown, already used or expired';
  if (!passkey || !user) return 'it is not registered';
  if (passkey.host !== host) return `it is bound to ${passkey.host}`;
  if (response.userHandle && response.userHandle !== userHandle(user.uuid))
    return 'its user handle identifies a different user';
  if (signCount === undefined) return 'its signature, origin or user verification is invalid';
  return user.enabled ? undefined : 'its user is disabled';
}
