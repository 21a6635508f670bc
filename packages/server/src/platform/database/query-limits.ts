// Time limits for statements, depending on who waits for them. The server cancels slower statements; `ConnectionWatch`
// closes a connection if even the resulting error does not arrive.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * `request`: a client is waiting for the response. `job`: background work. `long`: migrations, reports, maintenance of
 * whole tables.
 */
export type WorkKind = 'request' | 'job' | 'long';

/** Hot statements look up rows by key, so if one takes this long, the cause lies elsewhere. */
export const HOT_LIMIT_MS = 10_000;

/** Zero: no limit. */
const LIMITS_MS: Readonly<Record<WorkKind, number>> = { request: 20_000, job: 5 * 60_000, long: 0 };

const kindOfWork = new AsyncLocalStorage<WorkKind>();

/** Applies this kind's limit to the statements of `work` and of everything that it calls. */
export const runAsWork = <Result>(kind: WorkKind, work: () => Result): Result => kindOfWork.run(kind, work);

export const currentLimitMs = (): number => LIMITS_MS[kindOfWork.getStore() ?? 'request'];

export const REQUEST_LIMIT_MS = LIMITS_MS.request;
