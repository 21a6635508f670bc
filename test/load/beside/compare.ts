// Compares results of several servers from the same rounds, with their ratios within each round.
import { median, type Figure } from '../report.ts';

export interface Comparison {
  readonly what: string;
  readonly unit: string;
  /** One value per round. */
  readonly ours: { readonly name: string; readonly values: readonly number[] };
  readonly theirs: readonly {
    readonly name: string;
    readonly values: readonly number[];
    /** Target ratio of our value to theirs. */
    readonly goal: string | undefined;
  }[];
}

export function compare({ what, unit, ours, theirs }: Comparison): Figure[] {
  return [
    ...[ours, ...theirs].map(({ name, values }) => ({ name: `${what}: ${name}`, value: median(values), unit })),
    ...theirs.map(({ name, values, goal }) => {
      const ratios = ours.values.map((value, round) => value / (values[round] ?? Number.NaN));
      return {
        name: `${what}: ${ours.name} / ${name}`,
        value: median(ratios),
        unit: `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
        ...(goal === undefined ? {} : { goal }),
      };
    }),
  ];
}
