// Timeouts in tests. A test fails if the expected condition never occurs and continues as soon as it does, so limits
// are generous; `npm test -- --patience=N` multiplies them for a busy machine.
import { vi } from 'vitest';

/** Default limit of `vi.waitFor` and `vi.waitUntil`; vitest's 1 s is too short while other tests run. */
const USUAL_LIMIT_MS = 10_000;

export const patience = Number(process.env['TEST_PATIENCE'] ?? '1');

/** Extends the limits of `vi.waitFor` and `vi.waitUntil`. Can be called repeatedly. */
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
