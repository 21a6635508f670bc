// Scalars of paths and query strings, where everything arrives as text. Senders may give the value itself.
import { z } from 'zod';
import { int32 } from '../primitives.ts';

/** `true` or `false`; any other text is refused, not guessed. */
export const queryBoolean = (): z.ZodType<boolean, boolean> =>
  z.preprocess((text: unknown) => (text === 'true' ? true : text === 'false' ? false : text), z.boolean()) as z.ZodType<
    boolean,
    boolean
  >; // a pre-processed schema takes anything by its type; senders give the boolean

/** A whole number in decimal digits; `number` may bound it. */
export const queryInt32 = (number = int32()): z.ZodType<number, number> =>
  z.preprocess((text) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text), number) as z.ZodType<
    number,
    number
  >; // as above
