// The periodic validation: statuses change with time and with trust, also when nobody looks. A round takes the
// certificates whose last check is the longest ago.
import { coreContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { countCertificates, findDueForValidation } from './store.ts';
import type { Validator } from './validate.ts';

const QUEUE = 'certificates.revalidate';
/** A day's rounds reach everything, and a small inventory is done at once. */
const ROUNDS_PER_DAY = 24;
const SMALLEST_ROUND = 100;

export function createRevalidation(platform: Platform, { validator }: { readonly validator: Validator }) {
  const { database, clock, jobs, log } = platform;

  /** One round; returns how many certificates it looked at. */
  async function runOnce(signal?: AbortSignal): Promise<number> {
    const limit = Math.max(SMALLEST_ROUND, Math.ceil((await countCertificates(database.executor)) / ROUNDS_PER_DAY));
    const due = await findDueForValidation(database.executor, { now: clock.now(), limit });
    const context = coreContext(newUuid(), signal);
    let done = 0;
    for (const uuid of due) {
      if (signal?.aborted) break;
      try {
        await validator.validate(uuid, context);
        done += 1;
      } catch (error) {
        if (!isAppError(error, 'object_not_found'))
          log.warn({ error, certificate: uuid }, 'a certificate could not be validated');
      }
    }
    return done;
  }

  return {
    runOnce,
    /** Call before the jobs start. */
    declare: (): void =>
      jobs.declare({
        name: QUEUE,
        schedule: '17 * * * *',
        handle: async (_payload, { signal }) => void (await runOnce(signal)),
      }),
  };
}
