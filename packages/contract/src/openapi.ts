// Generates an OpenAPI 3.1 document from a table of operations. Schemas with an id become components. A schema whose
// request form differs from its response form (fields with defaults are optional only in requests) gets two components.
import { z } from 'zod';
import { errorsOf, type Access, type ErrorStatus, type Operation } from './operation.ts';
import { AcmeProblem } from './protocols/acme.ts';
import { AuthenticationServiceExceptionDto, ErrorMessageDto, ProblemList } from './shared/errors.ts';

type Json = { [key: string]: unknown };
type Direction = 'input' | 'output';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly basePath: string;
  /** Security schemes by name; every non-public operation lists all of them as alternatives. */
  readonly securitySchemes?: Json;
}

const reasons: Record<number, string> = {
  200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content', 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden',
  404: 'Not Found', 409: 'Conflict', 422: 'Unprocessable Content', 500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable',
}; // prettier-ignore

/** Builds the document. Keys are in a stable order so that generated files can be compared. */
export function openApiDocument(operations: Iterable<Operation>, options: OpenApiOptions): Json {
  const list = [...operations];
  const components = new Components();
  const operationsAsJson = list.map((op) => operationJson(op, { components, options }));
  const paths: Json = {};
  for (const [index, op] of list.entries()) {
    const path = (paths[op.path] ??= {}) as Json; // Always an object, created here or earlier.
    path[op.method.toLowerCase()] = operationsAsJson[index];
  }
  return components.resolve({
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    servers: [{ url: options.basePath }],
    paths: sortKeys(paths),
    components: {
      schemas: {},
      ...(options.securitySchemes ? { securitySchemes: options.securitySchemes } : {}),
    },
  });
}

function operationJson(op: Operation, context: { components: Components; options: OpenApiOptions }): Json {
  const { components, options } = context;
  const parameters = [...parametersOf(op, 'path', components), ...parametersOf(op, 'query', components)];
  const schemes = Object.keys(options.securitySchemes ?? {});
  return {
    operationId: op.id,
    summary: op.summary,
    tags: [op.tag],
    ...(isOpen(op.access) ? {} : { security: schemes.map((name) => ({ [name]: [] })) }),
    ...(op.access === undefined ? {} : { 'x-access': accessJson(op.access, op.also) }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(op, components),
    responses: responsesOf(op, components),
  };
}

/** Combines all of the operation's permissions. */
function accessJson(access: Access, also: Operation['also']): unknown {
  if (also === undefined) return access;
  return typeof access === 'object' ? { ...access, also } : { access, also };
}

const BINARY = { schema: { type: 'string', format: 'binary' } };

function requestBodyOf(op: Operation, components: Components): Json {
  if (op.octets !== undefined) return { requestBody: { required: true, content: { [op.octets]: BINARY } } };
  const isSigned = op.envelope === 'jws' && op.method === 'POST';
  if (!op.body && !isSigned) return {};
  const schema = op.body ? { schema: components.schema(op.body, 'input') } : {};
  const media = isSigned ? 'application/jose+json' : 'application/json';
  return { requestBody: { required: op.bodyOptional !== true, content: { [media]: schema } } };
}

const isOpen = (access: Access | undefined) => access === undefined || access === 'public' || access === 'bootstrap';

function parametersOf(op: Operation, place: 'path' | 'query', components: Components): Json[] {
  const schema = place === 'path' ? op.params : op.query;
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const type = field as z.ZodType; // Zod types the shape with its internal base class.
    return {
      name,
      in: place,
      required: place === 'path' || !type.safeParse(undefined).success,
      schema: components.schema(type, 'input'),
    };
  });
}

function responsesOf(op: Operation, components: Components): Json {
  const { status, alternative, body, media, otherMedia = [] } = op.success;
  const responses: Json = {};
  const content = body
    ? { [media ?? 'application/json']: { schema: components.schema(body, 'output') } }
    : media
      ? Object.fromEntries([media, ...otherMedia].map((type) => [type, BINARY]))
      : undefined;
  for (const code of alternative === undefined ? [status] : [alternative, status])
    responses[code] = { description: reasons[code], ...(content ? { content } : {}) };
  for (const error of errorsOf(op))
    responses[error] = op.envelope === 'jws' ? problemJson(error, components) : errorJson(error, components);
  return responses;
}

/**
 * Error bodies: 422 is a list of business validation messages, 403 uses the problem format, 401 and 500 have no
 * documented body.
 */
function errorJson(status: ErrorStatus, components: Components): Json {
  const description = reasons[status];
  if (status === 401 || status === 500) return { description };
  const schema = status === 403 ? AuthenticationServiceExceptionDto : status === 422 ? ProblemList : ErrorMessageDto;
  return { description, content: { 'application/json': { schema: components.schema(schema, 'output') } } };
}

/** Error bodies returned by the protocol servers. */
function problemJson(status: ErrorStatus, components: Components): Json {
  const description = reasons[status];
  if (status === 500) return { description };
  return { description, content: { 'application/problem+json': { schema: components.schema(AcmeProblem, 'output') } } };
}

const PLACE = '#/components/schemas/';
const MARK = /^#direction:(input|output):(.+)$/;

/** Collects named schemas in both directions and merges identical ones into a single component. */
class Components {
  private readonly found: Record<Direction, Map<string, Json>> = { input: new Map(), output: new Map() };

  /** Returns the JSON Schema of `type`; nested named schemas become marked references that `resolve` replaces. */
  schema(type: z.ZodType, direction: Direction): Json {
    const wrapped = z.toJSONSchema(z.object({ it: type }), {
      io: direction,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // Zod omits the default for values parsed from text, e.g. in query strings.
        const { def } = zodSchema._zod;
        if (def.type === 'default' && typeof def.defaultValue !== 'object') jsonSchema.default ??= def.defaultValue;
        delete (jsonSchema as Json)['id'];
      },
    }) as Json;
    const definitions = (wrapped['$defs'] ?? {}) as Record<string, Json>;
    for (const [name, definition] of Object.entries(definitions)) {
      if (!this.found[direction].has(name))
        this.found[direction].set(name, markReferences(definition, direction) as Json);
    }
    const it = (wrapped['properties'] as Json)['it'];
    return markReferences(it, direction) as Json;
  }

  /** Replaces marked references with final names and fills in the components. */
  resolve(document: Json): Json {
    const divergent = this.divergentNames();
    const finalName = (direction: Direction, name: string) =>
      direction === 'input' && divergent.has(name) ? `${name}Input` : name;
    const replaceReferences = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(replaceReferences);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => {
          const mark = key === '$ref' && typeof inner === 'string' ? MARK.exec(inner) : null;
          // If the expression matches, both groups are present.
          return mark
            ? [key, PLACE + finalName(mark[1] as Direction, mark[2] as string)]
            : [key, replaceReferences(inner)];
        }),
      );
    };
    const schemas: Json = {};
    for (const direction of ['output', 'input'] as const)
      for (const [name, definition] of this.found[direction])
        schemas[finalName(direction, name)] ??= replaceReferences(definition);
    const resolved = replaceReferences(document) as Json;
    const components = resolved['components'] as Json;
    components['schemas'] = sortKeys(schemas);
    return resolved;
  }

  /** Returns the names of schemas whose two forms differ, directly or through references. */
  private divergentNames(): Set<string> {
    const { input, output } = this.found;
    const withoutDirections = (json: Json) =>
      JSON.stringify(json).replaceAll('#direction:input:', '#direction:output:');
    const divergent = new Set<string>();
    for (const [name, json] of input) {
      const other = output.get(name);
      if (other && withoutDirections(json) !== withoutDirections(other)) divergent.add(name);
    }
    for (let grew = true; grew;) {
      grew = false;
      for (const [name, json] of input) {
        if (divergent.has(name) || !output.has(name)) continue;
        const text = JSON.stringify(json);
        if ([...divergent].some((other) => text.includes(`"#direction:input:${other}"`))) {
          divergent.add(name);
          grew = true;
        }
      }
    }
    return divergent;
  }
}

function markReferences(value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) return value.map((item) => markReferences(item, direction));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' && inner.startsWith('#/$defs/')
        ? [key, `#direction:${direction}:${inner.slice('#/$defs/'.length)}`]
        : [key, markReferences(inner, direction)],
    ),
  );
}

function sortKeys(json: Json): Json {
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));
}
