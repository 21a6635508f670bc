// Statuses below an authority follow it when it becomes usable or stops being so: it arrived, was trusted, expired, was
// revoked. Authorities among what changed cause the next round, so that the whole hierarchy follows level by level.
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { isUsable } from './standing.ts';
import { findAuthority, findTiedBelow, findUntiedBelow, type Piece, type TiedCursor } from './store-below.ts';
import type { Validator } from './validate.ts';

const QUEUE = 'certificates.revalidate-below';
/** More are left to the periodic validation, which reaches everything within a day. */
const MAX_REVALIDATED = 10_000;

/** What may have become valid below a usable authority, and what may have ceased to be below another. */
const WAITING = ['invalid', 'not_checked', 'failed'];
const RESTING = ['valid', 'expiring', 'inactive'];

export function createRevalidationBelow(platform: Platform, { validator }: { readonly validator: Validator }) {
  const { database, events, log } = platform;

  /** Returns how many certificates it looked at. */
  async function runBelow(certificateUuid: string, signal?: AbortSignal): Promise<number> {
    const authority = await findAuthority(database.executor, certificateUuid);
    if (!authority) return 0;
    const { subject_dn_normalized: subjectDnNormalized, validation_status: status } = authority;
    const statuses = isUsable(status) ? WAITING : RESTING;
    const round: Round = { signal, done: 0 };
    await walk<TiedCursor>(round, (after) =>
      findTiedBelow(database.executor, { subjectDnNormalized, statuses, after }),
    );
    // What is tied to no issuer is not valid, so nothing can have ceased to be.
    if (isUsable(status))
      await walk<string>(round, (after) =>
        findUntiedBelow(database.executor, { subjectDnNormalized, statuses, after }),
      );
    return round.done;
  }

  interface Round {
    readonly signal: AbortSignal | undefined;
    done: number;
  }

  async function walk<Cursor>(
    round: Round,
    find: (after: Cursor | undefined) => Promise<Piece<Cursor>>,
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
            log.warn({ error, certificate: uuid }, 'a certificate could not be validated');
        });
      }
      after = piece.next;
    } while (after !== undefined && !round.signal?.aborted);
  }

  return {
    runBelow,
    /** Call before the jobs start. */
    declare: (): void =>
      events.subscribe({
        event: 'authority_standing_changed',
        queue: QUEUE,
        mergeBy: ({ certificateUuid }) => certificateUuid,
        handle: async ({ certificateUuid }, { signal }) => void (await runBelow(certificateUuid, signal)),
      }),
  };
}
