// Counts rejected attempts to sign in with a user's passkey or invitation. They are counted per combination of user and
// address, so that a stranger at a different address cannot lock the user out, and also per address alone.
import { networkOf } from '../../../platform/limits/network-of.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { SignInRequest } from './open-session.ts';

/** `account`: the user, or the unknown identifier in the attempt. */
export function failedSignIns(limits: RateLimits, account: string, { context }: Pick<SignInRequest, 'context'>) {
  const address = networkOf(context.source?.ipAddress ?? '');
  const subject = `${account} ${address}`;
  return {
    /** Rejects the attempt if the address has failed too often for this user. */
    assertFew: () => limits.failedSignInsOfUser.assertOpen(subject),
    async count(): Promise<void> {
      await limits.failedSignInsOfUser.note(subject);
      await limits.failedSignIns.take(address);
    },
  };
}
