// Members of an update that forms send empty if the user did not change them: the object keeps its own values.
import { z } from 'zod';
import type { Operation } from '../operation.ts';

const NAMES = ['name', 'kind', 'connectorUuid'] as const;

/** Values of the object to be updated. */
export type OwnValues = { readonly [Name in (typeof NAMES)[number]]?: string | null };

/**
 * Returns the body of an update without the empty members that it may omit, and the names of the empty members that it
 * requires. Only updates of published operations are affected: our extensions are parsed strictly.
 */
export function withoutEmptyOwnValues(
  { method, path, body: schema }: Pick<Operation, 'method' | 'path' | 'body'>,
  body: unknown,
): { readonly body: unknown; readonly required: readonly (keyof OwnValues)[] } {
  const isUpdate = (method === 'PUT' || method === 'PATCH') && path.includes('{') && !path.startsWith('/x/');
  if (!isUpdate || !(schema instanceof z.ZodObject) || !isObject(body)) return { body, required: [] };
  const empty = NAMES.filter((name) => body[name] === '' && name in schema.shape);
  const isOptional = (name: string): boolean => schema.shape[name] instanceof z.ZodOptional;
  const optional = new Set<string>(empty.filter(isOptional));
  const kept = Object.entries(body).filter(([name]) => !optional.has(name));
  return {
    body: optional.size === 0 ? body : Object.fromEntries(kept),
    required: empty.filter((name) => !isOptional(name)),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
