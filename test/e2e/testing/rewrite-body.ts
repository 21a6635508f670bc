// Rewrites request bodies in the ways in which third-party forms and programs write them. The meaning stays the same.
import { z } from 'zod';

/**
 * `form`: numbers, booleans and secrets are strings, and absent UUIDs, URLs, enumerations, numbers, booleans and dates
 * are empty strings. `formWithNulls`: also, all other absent members and empty required lists are null.
 */
export type Style = 'form' | 'formWithNulls';

/** Members that restrict a request or limit the lifetime of an object: they are never rewritten. */
export const WIDENING =
  /^(filters?|scope|permissions|resources|uuids|\w+Uuids|conditions?|expir\w*|valid(To|Until)|\w*[a-z]At)$/i;

/** Returns the rewritten body. It equals the original if nothing can be rewritten. */
export function rewrite(schema: z.ZodType, value: unknown, style: Style): unknown {
  const inner = innermost(schema, value);
  if (inner instanceof z.ZodObject && isObject(value)) return rewriteObject(inner, value, style);
  if (Array.isArray(value)) {
    if (inner instanceof z.ZodArray) return value.map((item) => rewrite(inner.element as z.ZodType, item, style));
    return value;
  }
  if (inner instanceof z.ZodRecord && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, rewrite(inner.valueType as z.ZodType, item, style)]),
    );
  const isScalar = inner instanceof z.ZodNumber || inner instanceof z.ZodBoolean;
  return isScalar ? String(value) : value;
}

function rewriteObject(schema: z.ZodObject, value: Members, style: Style): Members {
  const present = Object.entries(value).map(([name, member]) => {
    const field = schema.shape[name] as z.ZodType | undefined;
    if (name === 'content' && 'contentType' in value) return [name, rewriteContent(member)];
    if (!field || WIDENING.test(name)) return [name, member];
    // An optional list that is absent can mean something else: an update leaves the stored list unchanged.
    const isEmptyList = Array.isArray(member) && member.length === 0 && !isOptional(field);
    return [name, isEmptyList && style === 'formWithNulls' ? null : rewrite(field, member, style)];
  });
  const absent = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, field]) => {
    if (Object.hasOwn(value, name) || !isOptional(field)) return [];
    if (mayBeEmpty(field) && !WIDENING.test(name)) return [[name, '']];
    return style === 'formWithNulls' ? [[name, null]] : [];
  });
  return Object.fromEntries([...present, ...absent]) as Members;
}

/** Rewrites the values of an attribute. */
function rewriteContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((item: unknown) => (isObject(item) ? { ...item, data: asText(item['data']) } : item));
}

function asText(data: unknown): unknown {
  if (typeof data === 'number' || typeof data === 'boolean') return String(data);
  return isObject(data) && typeof data['secret'] === 'string' ? data['secret'] : data;
}

/** Returns the top-level members of a body schema that restrict the request, and that are not plain text. */
export const restrictingMembers = (schema: z.ZodType): readonly string[] => {
  const inner = innermost(schema, {});
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Readonly<Record<string, z.ZodType>>)
    .filter(([name, field]) => WIDENING.test(name) && !field.safeParse('').success)
    .map(([name]) => name);
};

/** Whether forms send an empty string if the value is absent: UUIDs, URLs, dates, enumerations, numbers, booleans. */
function mayBeEmpty(field: z.ZodType): boolean {
  const inner = innermost(field, '');
  if (inner instanceof z.ZodNumber || inner instanceof z.ZodBoolean || inner instanceof z.ZodEnum) return true;
  const parsed = field.safeParse('');
  if (parsed.success || !(inner instanceof z.ZodString || inner instanceof z.ZodStringFormat)) return false;
  return /UUID|GUID|URL|ISO 8601|yyyy|must not be empty/i.test(parsed.error.issues[0]?.message ?? '');
}

/** Returns the schema within wrappers, and the variant of a union that describes the value. */
function innermost(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return innermost(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodPipe) return innermost(schema.in as z.ZodType, value);
  if (schema instanceof z.ZodLazy) return innermost(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodUnion) {
    const variant = (schema.options as readonly z.ZodType[]).find((option) => option.safeParse(value).success);
    return variant ? innermost(variant, value) : schema;
  }
  return schema;
}

const isOptional = (field: z.ZodType): boolean => field instanceof z.ZodOptional || field instanceof z.ZodDefault;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
