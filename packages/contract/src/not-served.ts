// Operations of the published interface that this version does not serve yet: path and methods. The platform returns
// 404 for them, in words, instead of taking them for another operation whose pattern fits. Remove the line of an
// operation when its declaration is added; a test compares the two.

const paths: Readonly<Record<string, string>> = {};

export interface OperationNotServed {
  readonly method: string;
  /** Relative to `/api`, with parameters in braces. */
  readonly path: string;
}

export const operationsNotServed: readonly OperationNotServed[] = Object.entries(paths).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => ({ method, path })),
);
