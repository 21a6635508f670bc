// A limit on work, counted in steps rather than in time, so that the same input has the same outcome on every machine.
import { PkiError } from '../errors.ts';

/**
 * Steps that one validation may take, path building included. A step is one RDN, one label or a few octets examined,
 * some 0.1 to 0.2 µs; real paths need a few thousand, of which most are signatures.
 */
export const MAX_PATH_STEPS = 2_000_000;

export interface Budget {
  /** Call before the work. Throws `PkiError` `bound-exceeded` when it does not fit any more. */
  spend(steps: number): void;
  /** Whether something was refused: verdicts since then report the exceeded limit, not what is wrong. */
  readonly isExhausted: boolean;
  readonly spent: number;
}

/** The result of work that spends from the budget; undefined when the work limit ended it. */
export function withinBudget<T>(budget: Budget, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof PkiError && budget.isExhausted) return undefined;
    throw error;
  }
}

/**
 * A separate budget, or a part of another one, from which its steps are also taken: several validations may share the
 * budget of one file.
 */
export function createBudget(steps: number = MAX_PATH_STEPS, whole?: Budget): Budget {
  let spent = 0;
  let isExhausted = false;
  return {
    spend(count) {
      isExhausted ||= spent + count > steps || (whole?.isExhausted ?? false);
      if (isExhausted) throw new PkiError('bound-exceeded', 'The validation exceeds the work limit for one path.');
      try {
        whole?.spend(count);
      } catch (error) {
        isExhausted = true;
        throw error;
      }
      spent += count;
    },
    get isExhausted() {
      return isExhausted;
    },
    get spent() {
      return spent;
    },
  };
}
