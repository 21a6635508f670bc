// Compiles an operation's response schema into a serializer. Members that the contract does not declare are dropped, so
// that nothing leaks. Members with a union type are written unchanged, because their presenters choose the form.
import fastJsonStringify from 'fast-json-stringify';
import { z } from 'zod';
import type { Operation } from '@signetry/contract';
import { isObject } from '../../kernel/is-object.ts';

type Json = { [key: string]: unknown };
type Serializer = (value: unknown) => string;

const compiled = new WeakMap<Operation, Serializer>();

/**
 * Returns the serializer for an operation with a JSON response. It is compiled for the operation's first response,
 * because compiling all serializers would take a third of the startup time.
 */
export function serializerOf(operation: Operation): Serializer {
  const found = compiled.get(operation);
  if (found) return found;
  const { body } = operation.success;
  if (!body) throw new Error(`The operation ${operation.id} does not return JSON.`);
  const serializer = compileReplySerializer(body);
  compiled.set(operation, serializer);
  return serializer;
}

function compileReplySerializer(body: z.ZodType): Serializer {
  const schema = z.toJSONSchema(z.object({ it: body }), {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const json = jsonSchema as Json;
      delete json[
        'additionalProperties' in json && json['additionalProperties'] === false ? 'additionalProperties' : '-'
      ];
      for (const noise of ['id', 'pattern', 'default', 'examples', 'title', 'description']) delete json[noise];
      // Numbers are already within bounds; a format would make the serializer parse dates again.
      if (json['type'] === 'string') delete json['format'];
    },
  }) as Json;
  const properties = schema['properties'] as Json;
  const root = openUnions(properties['it']) as Json;
  const definitions = openUnions(schema['definitions'] ?? {}) as Json;
  // The schema is built from our own contract, never from input.
  return fastJsonStringify({ ...root, definitions } as Parameters<typeof fastJsonStringify>[0]);
}

/**
 * Replaces `anyOf`/`oneOf` with a schema that allows anything, because choosing a branch would validate the value again
 * for every response.
 */
function openUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openUnions);
  if (!isObject(value)) return value;
  if ('anyOf' in value || 'oneOf' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, openUnions(inner)]));
}
