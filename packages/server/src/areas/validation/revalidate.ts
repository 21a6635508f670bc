// Periodic validation: statuses change with time and trust, even if no one views them. Each cycle validates the
// certificates whose last check is oldest.
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../settings/index.ts';
import { backgroundContext, VALIDATION_BATCH_SIZE, type ValidateMany } from './validate-many.ts';
import { countCertificates, findDueForValidation, findForValidation } from './store.ts';

const QUEUE = 'certificates.revalidate';
/** One day's cycles cover the whole inventory; a small inventory is validated in a single cycle. */
const ROUNDS_PER_DAY = 24;
const SMALLEST_ROUND = 100;

interface Parts {
  readonly many: Pick<ValidateMany, 'validateInTurns'>;
  readonly settings: Pick<Settings, 'validationDefaults'>;
}

export function createRevalidation(platform: Platform, { many, settings }: Parts) {
  const { database, clock, jobs } = platform;

  /** Runs one cycle; returns the number of certificates checked. */
  async function runOnce(signal?: AbortSignal): Promise<number> {
    const limit = Math.max(SMALLEST_ROUND, Math.ceil((await countCertificates(database.executor)) / ROUNDS_PER_DAY));
    const defaults = await settings.validationDefaults();
    const due = await findDueForValidation(database.executor, { now: clock.now(), limit, defaults });
    let from = 0;
    let done = 0;
    await many.validateInTurns(
      {
        next: async () => {
          const uuids = due.slice(from, (from += VALIDATION_BATCH_SIZE));
          return uuids.length === 0 ? undefined : { uuids, rows: await findForValidation(database.executor, uuids) };
        },
        written: ({ uuids }) => void (done += uuids.length),
      },
      { context: backgroundContext(signal), asksResponders: true, signal },
    );
    return done;
  }

  return {
    runOnce,
    /** Must be called before the jobs start. */
    declare: (): void =>
      jobs.declare({
        name: QUEUE,
        schedule: '17 * * * *',
        handle: async (_payload, { signal }) => void (await runOnce(signal)),
      }),
  };
}
