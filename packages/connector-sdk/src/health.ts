// A connector's health, determined by checks of its parts. A part that hangs must not delay the response: platforms
// wait only 10 s for it.
import type { HealthDto } from '@signetry/contract';

/** Performs a check. Users see its error message, so it should explain how to fix the problem. */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** Time limit for all parts together, well below the platform's. */
const CHECK_MS = 5_000;

/** Returns `ok` if every part is; otherwise `nok` with the reason for each failed part. */
export async function healthOf(
  checks: Readonly<Record<string, HealthCheck>>,
  options: { readonly timeoutMs?: number } = {},
): Promise<HealthDto> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? CHECK_MS);
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, HealthDto]> => [
      name,
      await partOf(check, signal),
    ]),
  );
  const isWell = parts.every(([, { status }]) => status === 'ok');
  return { status: isWell ? 'ok' : 'nok', parts: Object.fromEntries(parts) };
}

async function partOf(check: HealthCheck, signal: AbortSignal): Promise<HealthDto> {
  const timedOut = Promise.withResolvers<never>();
  const onAbort = () => timedOut.reject(new Error('No response within the time limit.'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([Promise.resolve().then(() => check(signal)), timedOut.promise]);
    return { status: 'ok' };
  } catch (error) {
    return { status: 'nok', description: error instanceof Error ? error.message : 'The check failed.' };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
