// Challenges that browsers answer with a passkey: kept by the platform for five minutes, answered once, rightly or not.
import { randomToken } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PasskeyChallengeRow } from '../tables.ts';
import { sha256 } from './sessions.ts';
import * as store from './store-passkeys.ts';
import { challengeIn } from './webauthn.ts';

export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

interface ChallengeFacts {
  readonly origin: string;
  readonly userUuid?: string;
  readonly invitationUuid?: string;
}

export interface TakenChallenge {
  readonly challenge: string;
  readonly row: PasskeyChallengeRow;
}

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges({ database, clock }: Platform) {
  /** For whom a passkey is registered; without a user, for whoever signs in. */
  async function issue({ origin, userUuid, invitationUuid }: ChallengeFacts): Promise<string> {
    const challenge = randomToken();
    await store.insertChallenge(database.executor, {
      challenge_sha256: sha256(challenge),
      origin,
      user_uuid: userUuid ?? null,
      invitation_uuid: invitationUuid ?? null,
      expires_at: new Date(clock.now().getTime() + CHALLENGE_LIFETIME_MS),
    });
    return challenge;
  }

  /** The challenge that an answer is about, for exactly these; it counts no second time. */
  async function take(
    clientDataJson: string,
    { origin, userUuid, invitationUuid }: ChallengeFacts,
  ): Promise<TakenChallenge | undefined> {
    const challenge = challengeIn(clientDataJson) ?? '';
    const row = await store.takeChallenge(database.executor, { challengeSha256: sha256(challenge), now: clock.now() });
    const fits =
      row?.origin === origin &&
      row.user_uuid === (userUuid ?? null) &&
      row.invitation_uuid === (invitationUuid ?? null);
    return fits ? { challenge, row } : undefined;
  }

  return { issue, take };
}
