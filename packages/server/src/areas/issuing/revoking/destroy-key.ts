// Destroys the key of a revoked certificate if its revocation requested that. The revocation is recorded first and does
// not wait for a token; the result is recorded in the certificate's history.
import { keyManagementOperations, type KeyDto } from '@signetry/contract';
import { coreContextFor, type RequestContext } from '../../../kernel/actor.ts';
import { isAccessibleBy } from '../../../kernel/belonging.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { EventPayloads } from '../../../platform/events/outbox.ts';
import type { Platform } from '../../../platform/platform.ts';
import { requirePermission } from '../../identity/index.ts';
import type { Keys } from '../../keys/index.ts';
import { findCertificate, insertHistory, type HistoryRow } from '../../certificates/index.ts';

const QUEUE = 'certificate-keys';

/** Requires the permission to destroy the key; owners of keys have it. */
export function requireDestroyPermission({ uuid, name, ownerUuid }: KeyDto, context: RequestContext): void {
  if (isAccessibleBy(context.actor, 'delete', { ownerUuid: ownerUuid ?? null, groupUuids: [] })) return;
  requirePermission(context, {
    resource: 'keys',
    action: 'delete',
    objects: [uuid],
    name: `to destroy the key ${name} of the certificate`,
  });
}

/** Declares the queue; call this before jobs start. */
export function declareKeyDestruction(
  { database, clock, events }: Platform,
  keys: Pick<Keys, 'findByPublicKey' | 'destroy'>,
): void {
  const { executor } = database;

  async function destroy(
    { certificateUuid, requestedBy: by }: EventPayloads['certificate_key_unwanted'],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const row = await findCertificate(executor, certificateUuid);
    const key = row && (await keys.findByPublicKey(row.public_key_fingerprint));
    if (!key) return;
    const recordInHistory = (status: HistoryRow['status'], message: string): Promise<void> =>
      insertHistory(executor, [{ certificate_uuid: certificateUuid, event: 'Revoke Certificate', status, message }], {
        at: clock.now(),
        by,
      });
    try {
      await keys.destroy(key.uuid, { ...coreContextFor(keyManagementOperations.destroyKey), signal });
    } catch (error) {
      if (!isAppError(error)) throw error;
      return recordInHistory('FAILED', `The key ${key.name} was not destroyed; destroy it manually. ${error.message}`);
    }
    await recordInHistory('SUCCESS', `The key ${key.name} was destroyed`);
  }

  events.subscribe({ event: 'certificate_key_unwanted', queue: QUEUE, handle: destroy });
}
