// Updates the statuses below an authority when it becomes usable or unusable, for example because it was imported,
// trusted or revoked, or has expired. A status change of an authority triggers a further pass, so that the whole
// hierarchy is updated level by level.
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { isUsable } from './standing.ts';
import {
  findAuthority,
  findLinkedBelow,
  findUnlinkedBelow,
  type CursorPage,
  type LinkedCursor,
} from './store-below.ts';
import type { Validator } from './validate.ts';

const QUEUE = 'certificates.revalidate-below';
/**
 * Maximum number of certificates revalidated per authority. The remaining ones are left to periodic validation, which
 * covers the whole inventory within a day.
 */
const MAX_REVALIDATED = 10_000;

/**
 * Statuses that can become valid below a usable authority, and statuses that can become invalid below an unusable one.
 */
const WAITING = ['invalid', 'not_checked', 'failed'];
const RESTING = ['valid', 'expiring', 'inactive'];

export function createRevalidationBelow(platform: Platform, { validator }: { readonly validator: Validator }) {
  const { database, events, log } = platform;

  /** Returns the number of certificates checked. */
  async function runBelow(certificateUuid: string, signal?: AbortSignal): Promise<number> {
    const authority = await findAuthority(database.executor, certificateUuid);
    if (!authority) return 0;
    const { subject_dn_normalized: subjectDnNormalized, validation_status: status } = authority;
    const statuses = isUsable(status) ? WAITING : RESTING;
    const round: Round = { signal, done: 0 };
    await walk<LinkedCursor>(round, (after) =>
      findLinkedBelow(database.executor, { subjectDnNormalized, statuses, after }),
    );
    // A certificate without a linked issuer is not valid, so it cannot become invalid.
    if (isUsable(status))
      await walk<string>(round, (after) =>
        findUnlinkedBelow(database.executor, { subjectDnNormalized, statuses, after }),
      );
    return round.done;
  }

  interface Round {
    readonly signal: AbortSignal | undefined;
    done: number;
  }

  async function walk<Cursor>(
    round: Round,
    find: (after: Cursor | undefined) => Promise<CursorPage<Cursor>>,
  ): Promise<void> {
    const context = coreContext(newUuid(), round.signal);
    let after: Cursor | undefined;
    do {
      const piece = await find(after);
      for (const uuid of piece.uuids) {
        if (round.signal?.aborted || round.done === MAX_REVALIDATED) return;
        round.done += 1;
        await validator.validate(uuid, context).catch((error: unknown) => {
          if (!isAppError(error, 'object_not_found'))
            log.warn({ error, certificate: uuid }, 'cannot validate a certificate');
        });
      }
      after = piece.next;
    } while (after !== undefined && !round.signal?.aborted);
  }

  return {
    runBelow,
    /** Must be called before the jobs start. */
    declare: (): void =>
      events.subscribe({
        event: 'authority_standing_changed',
        queue: QUEUE,
        mergeBy: ({ certificateUuid }) => certificateUuid,
        handle: async ({ certificateUuid }, { signal }) => void (await runBelow(certificateUuid, signal)),
      }),
  };
}
