// The health of a connector from checks of its parts. A part that hangs must not hang the answer: platforms wait ten
// seconds for it.
import type { HealthDto } from '@signetry/contract';

/** Carries out a check; its failure is what people read, so it says what would help. */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** Time that the parts together have, well below that of the platform. */
const CHECK_MS = 5_000;

/** `ok` when every part is; `nok` with the reason of each part that is not. */
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
  const onAbort = () => timedOut.reject(new Error('There was no answer in time.'));
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
