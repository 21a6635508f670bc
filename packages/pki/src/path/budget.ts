// Work limit in steps rather than time, so that the same input has the same outcome on every machine.
import { PkiError } from '../errors.ts';

/**
 * Maximum number of steps for one validation, including path building. A step examines one RDN, one label or a few
 * bytes and takes about 0.1 to 0.2 µs; real paths need a few thousand, mostly for signatures.
 */
export const MAX_PATH_STEPS = 2_000_000;

export interface Budget {
  /**
   * Must be called before the work is done. Throws `PkiError` `bound-exceeded` if the remaining budget is too small.
   */
  spend(steps: number): void;
  /** Whether any work was rejected. If so, later verdicts report the exceeded limit, not the actual problem. */
  readonly isExhausted: boolean;
  readonly spent: number;
}

/** Returns the result of work that spends from the budget, or undefined if the work limit was reached. */
export function withinBudget<T>(budget: Budget, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof PkiError && budget.isExhausted) return undefined;
    throw error;
  }
}

/**
 * Creates a separate budget, or a share of a larger budget that is charged for the same steps, so that several
 * validations can share one file's budget.
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
