// Converts an operation and its input to an HTTP request. Performs no I/O.
import type { Operation, OperationRequest } from '@signetry/contract';

type EmptyObject = { readonly [Key in never]: never };
type Key = 'params' | 'query' | 'body';
type MemberInput<Op extends Operation, K extends Key> = Exclude<OperationRequest<Op>[K], undefined>;
type OptionalMember<Op extends Operation, K extends Key> = { readonly [P in K]?: MemberInput<Op, K> };
type RequiredMember<Op extends Operation, K extends Key> = { readonly [P in K]: MemberInput<Op, K> };

/** Member `K` of a call: present if the operation declares it, optional if none of its members is required. */
type Part<Op extends Operation, K extends Key> = Op extends { readonly [P in K]: object }
  ? K extends 'query'
    ? EmptyObject extends MemberInput<Op, K>
      ? OptionalMember<Op, K>
      : RequiredMember<Op, K>
    : Op extends { readonly bodyOptional: true }
      ? K extends 'body'
        ? OptionalMember<Op, K>
        : RequiredMember<Op, K>
      : RequiredMember<Op, K>
  : { readonly [P in K]?: undefined };

/** Input of an operation: its parameters and body as sent, before defaults are applied. */
export type CallInput<Op extends Operation> = Part<Op, 'params'> & Part<Op, 'query'> & Part<Op, 'body'>;

/** Input of any operation. */
export interface AnyInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Returns the URL of a call below `baseUrl`. List-valued query parameters are repeated; absent and null ones are
 * omitted.
 */
export function urlOf(baseUrl: string, op: Operation, input: AnyInput): string {
  const params = asRecord(input.params);
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(op, name, params[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asRecord(input.query)))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) query.append(name, String(item));
  const text = query.toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`;
}

/**
 * Returns a value as a path segment. Empty segments and dot segments would change the URL during normalization (RFC
 * 3986 §5.2.4).
 */
function segment(op: Operation, name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`${op.id}: path parameter ${name} must be a non-empty string`);
  return encodeURIComponent(text);
}

const asRecord = (value: unknown): Record<string, unknown> =>
  // Any object can be read by key.
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
