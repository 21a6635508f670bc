// Bulk removal of objects, one by one: an object that cannot be removed is reported and does not prevent the others
// from being removed.
import type { BulkActionMessageDto } from '@signetry/contract';
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import type { NamedRow } from './named-objects.ts';

/** Returns the objects that were not removed, each with the reason. Unknown objects count as removed. */
export async function removeEach(
  uuids: readonly string[],
  find: (uuid: string) => Promise<NamedRow | undefined>,
  remove: (uuid: string) => Promise<void>,
): Promise<BulkActionMessageDto[]> {
  const messages: BulkActionMessageDto[] = [];
  for (const uuid of new Set(uuids)) {
    const object = await find(uuid);
    if (!object) continue;
    try {
      await remove(uuid);
    } catch (error) {
      if (isAppError(error, 'object_not_found')) continue;
      if (!isAppError(error)) throw error;
      messages.push({ uuid, name: object.name, message: problemsOf(error).join('\n') });
    }
  }
  return messages;
}
