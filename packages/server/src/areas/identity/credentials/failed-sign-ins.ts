// Counts refused attempts to sign in with the passkey or the invitation of a user: by user and address, so that a
// stranger elsewhere cannot lock the user out, and by address alone.
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { SigningIn } from './open-session.ts';

/** Whom an attempt is for: a user, or what it named that is unknown. */
export function failedSignIns(limits: RateLimits, account: string, { context }: Pick<SigningIn, 'context'>) {
  const address = networkOf(context.source?.ipAddress ?? '');
  const subject = `${account} ${address}`;
  return {
    /** Refuses when the address has failed too often for this user. */
    assertFew: () => limits.failedSignInsOfUser.assertOpen(subject),
    async count(): Promise<void> {
      await limits.failedSignInsOfUser.note(subject);
      await limits.failedSignIns.take(address);
    },
  };
}
