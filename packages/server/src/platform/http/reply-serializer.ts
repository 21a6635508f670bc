// Compiles the answer form of an operation into a serializer. Members that the contract does not name are dropped,
// which keeps what must not leave inside. Union members are written as they are: their presenters choose the form.
import fastJsonStringify from 'fast-json-stringify';
import { z } from 'zod';

type Json = { [key: string]: unknown };

export function compileReplySerializer(body: z.ZodType): (value: unknown) => string {
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
      // Numbers are within bounds already; a format would make the serializer reparse dates.
      if (json['type'] === 'string') delete json['format'];
    },
  }) as Json;
  const properties = schema['properties'] as Json;
  const root = openUnions(properties['it']) as Json;
  const definitions = openUnions(schema['definitions'] ?? {}) as Json;
  // The schema is built per operation from our own contract, never from input.
  return fastJsonStringify({ ...root, definitions } as Parameters<typeof fastJsonStringify>[0]);
}

/** Replaces `anyOf`/`oneOf` by "anything": choosing a branch would validate the value again for every answer. */
function openUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openUnions);
  if (typeof value !== 'object' || value === null) return value;
  if ('anyOf' in value || 'oneOf' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, openUnions(inner)]));
}
