// Finds the operation for a request. Literal path segments win over parameters, so the order of declaration does not
// matter.
import type { Method, Operation } from '@signetry/contract';
import type { RunningConnector } from '../connector.ts';

export interface Match {
  readonly operation: Operation;
  readonly params: Record<string, string>;
}

export type FindOperation = (method: string, path: string) => Match | 'unknown-path' | 'other-method';

interface Template {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

export function createRouteTable(operations: readonly Operation[]): FindOperation {
  const byMethod = new Map<Method, Template[]>();
  for (const operation of operations) {
    const templates = byMethod.get(operation.method) ?? [];
    templates.push({ operation, segments: segmentsOf(operation.path) });
    byMethod.set(operation.method, templates);
  }
  // Fewest parameters first; on a tie, those with parameters furthest to the right.
  for (const templates of byMethod.values()) templates.sort((one, other) => shapeOf(one).localeCompare(shapeOf(other)));
  const allMethods = [...byMethod.keys()];

  const findFor = (method: string, given: readonly string[]): Match | undefined => {
    for (const { operation, segments } of byMethod.get(method as Method) ?? []) {
      const params = fit(segments, given);
      if (params) return { operation, params };
    }
    return undefined;
  };

  return (method, path) => {
    const given = segmentsOf(path);
    const found = findFor(method, given);
    if (found) return found;
    return allMethods.some((other) => findFor(other, given)) ? 'other-method' : 'unknown-path';
  };
}

/** Returns a connector's operation at a path, as named by a callback; undefined if there is none. */
export function findOperation(
  running: Pick<RunningConnector, 'handlers'>,
  { method, path }: Pick<Operation, 'method' | 'path'>,
): Match | undefined {
  const found = createRouteTable(Object.values(running.handlers).map(({ operation }) => operation))(method, path);
  return typeof found === 'string' ? undefined : found;
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');
const isParameter = (segment: string): boolean => segment.startsWith('{');
const shapeOf = ({ segments }: Template): string =>
  segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

function fit(template: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (template.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of template.entries()) {
    const text = decodeSegment(given[index] ?? '');
    if (text === undefined) return undefined;
    if (isParameter(segment)) params[segment.slice(1, -1)] = text;
    else if (segment !== text) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
