// The command line of `npm test`.
import { parseArgs } from 'node:util';

export type Selection =
  | { readonly kind: 'usual' }
  | { readonly kind: 'all' }
  | { readonly kind: 'fast' }
  | { readonly kind: 'related' }
  /** Files whose path contains one of these, in every project. */
  | { readonly kind: 'named'; readonly names: readonly string[] };

export interface TestArguments {
  readonly selection: Selection;
  /** Fails when the tests need half as much processor time again as `cpu-budget.json` says. */
  readonly enforceBudget: boolean;
  /** Writes what they needed to `cpu-budget.json`. */
  readonly recordBudget: boolean;
  /** Time limits are multiplied by it. */
  readonly patience: number;
}

const USAGE = `npm test                     the repository checks, and all tests but the slow ones
npm test -- --all            the slow ones, too: kills, two nodes, programs of others
npm test -- --fast           tests that need neither a database nor a browser
npm test -- --related        tests that import what changed since the last commit, or in it
npm test -- NAME ...         test files whose path contains NAME
Options: --patience=N multiplies the time limits, for a busy machine; --enforce-budget; --record-budget`;

/** Throws an error with the usage when the arguments make no sense. */
export function readArguments(args: readonly string[]): TestArguments {
  const { values, positionals } = parse(args);
  const kinds = (['all', 'fast', 'related'] as const).filter((kind) => values[kind] === true);
  const patience = Number(values.patience);
  if (kinds.length + Math.min(positionals.length, 1) > 1) throw new Error(`One choice of tests at a time.\n${USAGE}`);
  if (!(patience >= 1)) throw new Error(`--patience takes a number of at least 1.\n${USAGE}`);
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
