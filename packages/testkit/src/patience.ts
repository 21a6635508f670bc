// How long tests wait for what they expect. Whatever never comes fails the test, and what comes ends the wait, so
// limits are generous; `npm test -- --patience=N` multiplies them for a machine that is busy with other things.
import { vi } from 'vitest';

/** Of `vi.waitFor` and `vi.waitUntil` without a limit of their own; vitest's second is little beside other tests. */
const USUAL_LIMIT_MS = 10_000;

export const patience = Number(process.env['TEST_PATIENCE'] ?? '1');

/** May be called again. */
export function waitPatiently(): void {
  vi.waitFor = patientFor;
  vi.waitUntil = patientUntil;
}

type Options = Parameters<typeof vi.waitFor>[1];
const { waitFor, waitUntil } = vi;

const patientFor: typeof vi.waitFor = (work, options) => waitFor(work, patiently(options));
const patientUntil: typeof vi.waitUntil = (work, options) => waitUntil(work, patiently(options));

function patiently(options: Options) {
  const { timeout = USUAL_LIMIT_MS, ...others } = typeof options === 'number' ? { timeout: options } : (options ?? {});
  return { ...others, timeout: timeout * patience };
}
