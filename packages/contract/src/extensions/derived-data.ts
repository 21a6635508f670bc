// Checks derived data (counters and search texts), which is updated with every change, against its source. Not part of
// the published interface.
import { z } from 'zod';
import { operations } from '../operations.ts';
import { dateTime, int64 } from '../primitives.ts';

/**
 * A wrong value: `kept` is the stored value and `right` the expected value. Either is absent if there is no such value.
 */
export const WrongDerivedData = z
  .object({ what: z.string(), kept: z.string().optional(), right: z.string().optional() })
  .meta({ id: 'WrongDerivedData' });
export type WrongDerivedData = z.output<typeof WrongDerivedData>;

export const DerivedDataCheck = z
  .object({
    name: z.string(),
    wrong: int64(),
    repaired: z.boolean(),
    /** The first few wrong values, for callers who can list all certificates. */
    examples: z.array(WrongDerivedData),
  })
  .meta({ id: 'DerivedDataCheck' });
export type DerivedDataCheck = z.output<typeof DerivedDataCheck>;

export const DerivedDataReport = z
  .object({
    checkedAt: dateTime(),
    /** True if the check found no wrong values. */
    sound: z.boolean(),
    checks: z.array(DerivedDataCheck),
  })
  .meta({ id: 'DerivedDataReport' });
export type DerivedDataReport = z.output<typeof DerivedDataReport>;

export const derivedDataOperations = operations(
  { tag: 'Derived Data', resource: 'settings', module: 'core', errors: [400, 401, 403, 500] },
  {
    checkDerivedData: {
      route: 'POST /x/v1/derivedData/check',
      summary: 'Check derived data against its source',
      body: z.object({ repair: z.boolean().default(false) }).meta({ id: 'DerivedDataCheckRequest' }),
      answer: DerivedDataReport,
      access: { action: 'update' },
      audit: 'update',
    },
  },
);
