// Users of client certificates. TLS proves possession of the key; the inventory decides whose certificate it is and
// whether it is still valid.
import { AppError } from '../../../kernel/errors.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { UserCertificates } from '../ports.ts';
import { rejectionOfCertificate } from '../users/user-rules.ts';
import * as users from '../users/store.ts';

export type ClientCertificates = ReturnType<typeof createClientCertificates>;

export function createClientCertificates(
  { database, clock }: Platform,
  parts: { readonly userCertificates: () => UserCertificates },
) {
  const known = createExpiringCache({ clock, load: findBinding });

  async function findBinding(fingerprint: string) {
    const user = await users.findByFingerprint(database.executor, fingerprint);
    const certificate = user && (await parts.userCertificates().findByFingerprint(database.executor, fingerprint));
    return certificate && { userUuid: user.uuid, certificate };
  }

  /** Returns this certificate's user; rejects certificates that belong to no user or are no longer valid. */
  async function userOf(fingerprint: string): Promise<string> {
    const binding = await known.get(fingerprint);
    const refusal = binding
      ? rejectionOfCertificate(binding.certificate, clock.now())
      : 'the client certificate belongs to no user';
    if (!binding || refusal !== undefined) throw new AppError('unauthenticated', { reason: refusal ?? '' });
    return binding.userUuid;
  }

  return { userOf, forget: () => known.invalidate() };
}
