// Passkey challenges: stored by the platform for five minutes, and consumed by the first response, correct or not.
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

export interface ClaimedChallenge {
  readonly challenge: string;
  readonly row: PasskeyChallengeRow;
}

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges({ database, clock }: Platform) {
  /** Issues a challenge to register a passkey for the user, or to sign in if there is no user. */
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

  /**
   * Consumes the challenge that a response refers to; returns undefined unless it was issued for exactly these facts.
   */
  async function claim(
    clientDataJson: string,
    { origin, userUuid, invitationUuid }: ChallengeFacts,
  ): Promise<ClaimedChallenge | undefined> {
    const challenge = challengeIn(clientDataJson) ?? '';
    const row = await store.claimChallenge(database.executor, { challengeSha256: sha256(challenge), now: clock.now() });
    const fits =
      row?.origin === origin &&
      row.user_uuid === (userUuid ?? null) &&
      row.invitation_uuid === (invitationUuid ?? null);
    return fits ? { challenge, row } : undefined;
  }

  return { issue, take: claim };
}
