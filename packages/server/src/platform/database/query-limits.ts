// How long a statement may take, by who waits for it. The server cancels what takes longer; `ConnectionWatch` closes a
// connection over which not even that error arrives.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * `request`: somebody waits for the answer. `job`: work in the background. `long`: migrations, reports, upkeep of whole
 * tables.
 */
export type WorkKind = 'request' | 'job' | 'long';

/** Hot statements look rows up by key; if one takes this long, it is not because of its own work. */
export const HOT_LIMIT_MS = 10_000;

/** Zero: no limit. */
const LIMITS_MS: Readonly<Record<WorkKind, number>> = { request: 20_000, job: 5 * 60_000, long: 0 };

const kindOfWork = new AsyncLocalStorage<WorkKind>();

/** Statements of `work`, and of all that it calls, have the limit of this kind. */
export const asWork = <Result>(kind: WorkKind, work: () => Result): Result => kindOfWork.run(kind, work);

export const currentLimitMs = (): number => LIMITS_MS[kindOfWork.getStore() ?? 'request'];

export const REQUEST_LIMIT_MS = LIMITS_MS.request;
