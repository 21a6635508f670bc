// Generates a curl example for each operation.

type Json = { readonly [key: string]: unknown };

export interface CurlOperation {
  readonly method: string;
  /** Path including the base path, with parameters in braces. */
  readonly path: string;
  /** Media type and schema of the request body, if any. */
  readonly body?: { readonly media: string; readonly schema: Json | undefined } | undefined;
  /** Names of the required query parameters. */
  readonly query: readonly string[];
  readonly needsToken: boolean;
}

/** Schemas by name, which references point to. */
export type Schemas = Readonly<Record<string, Json>>;

/** Returns a curl command. `$SIGNETRY_URL` and `$TOKEN` remain shell variables; placeholders are in capitals. */
export function curlOf(operation: CurlOperation, schemas: Schemas): string {
  const { method, path, body, query, needsToken } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(name));
  const search = query.map((name) => `${name}=${placeholder(name)}`).join('&');
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SIGNETRY_URL${filled}${search === '' ? '' : `?${search}`}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? [`-H 'Content-Type: ${body.media}'`, `-d ${quoted(JSON.stringify(sample(body.schema, schemas)))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

const placeholder = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

/** Quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Maximum depth of a sample: schemas reference each other, and some reference themselves. */
const MAX_DEPTH = 4;

/** Returns a sample value that contains only the required members. */
function sample(schema: Json | undefined, schemas: Schemas, depth = 0): unknown {
  if (schema === undefined || depth > MAX_DEPTH) return {};
  const { $ref, anyOf, oneOf, allOf, type, properties, required } = schema;
  if (typeof $ref === 'string') return sample(schemas[$ref.split('/').at(-1) ?? ''], schemas, depth + 1);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  // In the document, these are arrays of schemas.
  const choice = [anyOf, oneOf, allOf].find((each) => Array.isArray(each));
  if (Array.isArray(choice)) return sample(choice[0], schemas, depth + 1);
  if (type === 'array') return [];
  if (type === 'object') {
    const members = (properties ?? {}) as Readonly<Record<string, Json>>; // The properties are also schemas.
    const wanted = Array.isArray(required) ? required : [];
    return Object.fromEntries(
      Object.entries(members)
        .filter(([name]) => wanted.includes(name))
        .map(([name, member]) => [name, sample(member, schemas, depth + 1)]),
    );
  }
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 1 : 'string';
}
