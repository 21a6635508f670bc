// A check of a connector that any test runner can carry out: `for (const { name, run } of cases) it(name, run)`.

export interface ConformanceCase {
  readonly name: string;
  /** Rejects when the connector does not behave as the interface requires. */
  run(): Promise<void>;
}
