// The command line of `npm test`.
import { parseArgs } from 'node:util';

export type Selection =
  | { readonly kind: 'usual' }
  | { readonly kind: 'all' }
  | { readonly kind: 'fast' }
  | { readonly kind: 'related' }
  /** Files in any project whose path contains one of these names. */
  | { readonly kind: 'named'; readonly names: readonly string[] };

export interface TestArguments {
  readonly selection: Selection;
  /** Fails if the tests use more than 1.5 times the CPU time in `cpu-budget.json`. */
  readonly enforceBudget: boolean;
  /** Writes the CPU time used to `cpu-budget.json`. */
  readonly recordBudget: boolean;
  /** Factor for time limits. */
  readonly patience: number;
}

const USAGE = `npm test                     the repository checks, and all tests except the slow ones
npm test -- --all            the slow ones, too: kills, two nodes, programs of others
npm test -- --fast           tests that need neither a database nor a browser
npm test -- --related        tests that import what changed since the last commit, or in it
npm test -- NAME ...         test files whose path contains NAME
Options: --patience=N multiplies the time limits, for a busy machine; --enforce-budget; --record-budget`;

/** Parses the arguments. Throws an error with the usage if they are not valid. */
export function readArguments(args: readonly string[]): TestArguments {
  const { values, positionals } = parse(args);
  const kinds = (['all', 'fast', 'related'] as const).filter((kind) => values[kind] === true);
  const patience = Number(values.patience);
  if (kinds.length + Math.min(positionals.length, 1) > 1)
    throw new Error(`Specify only one selection of tests.\n${USAGE}`);
  if (!(patience >= 1)) throw new Error(`--patience must be a number of at least 1.\n${USAGE}`);
  const [kind = 'usual'] = kinds;
  return {
    selection: positionals.length > 0 ? { kind: 'named', names: positionals } : { kind },
    enforceBudget: values['enforce-budget'] === true,
    recordBudget: values['record-budget'] === true,
    patience,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        fast: { type: 'boolean' },
        related: { type: 'boolean' },
        'enforce-budget': { type: 'boolean' },
        'record-budget': { type: 'boolean' },
        patience: { type: 'string', default: '1' },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}
