// Scalars in paths and query strings, where all values arrive as text. Typed callers can pass the boolean or number
// itself.
import { z } from 'zod';
import { int32 } from '../primitives.ts';

/** `true` or `false`; any other text is rejected. */
export const queryBoolean = (): z.ZodType<boolean, boolean> =>
  z.preprocess((text: unknown) => (text === 'true' ? true : text === 'false' ? false : text), z.boolean()) as z.ZodType<
    boolean,
    boolean
  >; // The input of a preprocessed schema is typed as unknown; callers pass the boolean, hence the cast.

/** A decimal integer, whose range `number` can restrict. */
export const queryInt32 = (number = int32()): z.ZodType<number, number> =>
  z.preprocess((text) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text), number) as z.ZodType<
    number,
    number
  >; // The cast is needed for the same reason as above.
