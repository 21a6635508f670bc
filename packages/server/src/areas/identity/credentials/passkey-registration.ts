// Registers a passkey: requests it from the browser and stores it. The caller has already verified which user it
// belongs to.
import type { PasskeyCreationOptions, PasskeyRequest } from '@signetry/contract';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PasskeyRow, UserRow } from '../tables.ts';
import { problemsOfNames } from '../users/user-rules.ts';
import { CHALLENGE_LIFETIME_MS, type Challenges } from './challenges.ts';
import { relyingPartyAt, type RelyingParty } from './relying-party.ts';
import * as store from './store-passkeys.ts';
import { PASSKEY_ALGORITHMS, verifyNewPasskey, type VerifiedPasskey } from './webauthn.ts';

/** Far more than the number of devices that any user has. */
const MAX_PASSKEYS_PER_USER = 50;

const NAME_OF_PLATFORM = 'Signetry';

export interface Registrant {
  readonly user: Pick<UserRow, 'uuid' | 'username' | 'first_name' | 'last_name'>;
  /** Origin (scheme and authority) of the page that registers the passkey. */
  readonly origin: string;
  readonly invitationUuid?: string;
}

export type PasskeyRegistration = ReturnType<typeof createPasskeyRegistration>;

export function createPasskeyRegistration(platform: Platform, { challenges }: { readonly challenges: Challenges }) {
  const { database, clock } = platform;

  async function start(registrant: Registrant): Promise<PasskeyCreationOptions> {
    const { user } = registrant;
    const party = partyOf(registrant.origin, platform.publicUrl());
    const passkeys = await store.findByUser(database.executor, user.uuid);
    const challenge = await challenges.issue(factsOf(registrant, party));
    const fullName = [user.first_name, user.last_name].filter((name) => name).join(' ');
    return {
      rp: { id: party.host, name: NAME_OF_PLATFORM },
      user: { id: userHandle(user.uuid), name: user.username, displayName: fullName || user.username },
      challenge,
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_LIFETIME_MS,
      excludeCredentials: passkeys
        .filter(({ host }) => host === party.host)
        .map(({ credential_id, transports }) => ({
          id: Buffer.from(credential_id).toString('base64url'),
          type: 'public-key',
          transports,
        })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    };
  }

  /** Verifies the passkey that the browser created; consumes the challenge. */
  async function verify(request: PasskeyRequest, registrant: Registrant): Promise<VerifiedPasskey> {
    const problems = problemsOfNames({ 'The passkey name': request.name });
    if (problems.length > 0) throw rejected(...problems);
    const party = partyOf(registrant.origin, platform.publicUrl());
    const { clientDataJSON } = request.credential.response;
    const taken = await challenges.take(clientDataJSON, factsOf(registrant, party));
    if (!taken)
      throw rejected("The passkey's challenge is unknown, already used or older than 5 minutes. Start again.");
    const verified = await verifyNewPasskey(request.credential, { challenge: taken.challenge, party });
    if (!verified)
      throw rejected(
        `The passkey was not created for ${party.origin} with your PIN, fingerprint or face. Start again.`,
      );
    return verified;
  }

  /** Stores a verified passkey; the caller records the change. */
  async function insert(
    tx: Executor,
    made: VerifiedPasskey,
    { name, registrant }: { readonly name: string; readonly registrant: Registrant },
  ): Promise<PasskeyRow> {
    const { user, origin } = registrant;
    if ((await store.findByUser(tx, user.uuid)).length >= MAX_PASSKEYS_PER_USER)
      throw rejected(
        `Cannot add a passkey: user ${user.username} already has ${MAX_PASSKEYS_PER_USER}. Remove one first.`,
      );
    const row: PasskeyRow = {
      uuid: newUuid(),
      user_uuid: user.uuid,
      name,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      sign_count: made.signCount,
      transports: [...made.transports],
      host: new URL(origin).hostname,
      synced: made.synced,
      created_at: clock.now(),
      last_used_at: null,
    };
    // A different user may have registered it; a passkey signs in only one user.
    if (!(await store.insert(tx, row))) throw rejected('This passkey is already registered.');
    return row;
  }

  return { start, verify, insert };
}

/** Returns the user handle for the authenticator; it contains no personal data. */
export const userHandle = (userUuid: string): string =>
  Buffer.from(userUuid.replaceAll('-', ''), 'hex').toString('base64url');

const factsOf = ({ user, invitationUuid }: Registrant, { origin }: RelyingParty) => ({
  origin,
  userUuid: user.uuid,
  ...(invitationUuid === undefined ? {} : { invitationUuid }),
});

function partyOf(origin: string, publicUrl: string): RelyingParty {
  const verdict = relyingPartyAt(origin, publicUrl);
  if (verdict.kind === 'usable') return verdict;
  const reason = `Browsers do not create passkeys for ${new URL(origin).origin}: they require HTTPS with a host name, or localhost.`;
  throw rejected(verdict.instead === undefined ? reason : `${reason} Open ${verdict.instead} instead.`);
}
