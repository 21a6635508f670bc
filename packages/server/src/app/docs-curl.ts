// An example of each operation as a command line of curl.

type Json = { readonly [key: string]: unknown };

export interface CurlOperation {
  readonly method: string;
  /** With its base path; parameters in braces. */
  readonly path: string;
  /** Media type and schema of the body, if there is one. */
  readonly body?: { readonly media: string; readonly schema: Json | undefined } | undefined;
  /** Names of the query parameters that are required. */
  readonly query: readonly string[];
  readonly needsToken: boolean;
}

/** Schemas by name, which references lead to. */
export type Schemas = Readonly<Record<string, Json>>;

/** `$SIGNETRY_URL` and `$TOKEN` stay variables of the shell; what is to be filled in is in capitals. */
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

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Schemas refer to each other, some to themselves. */
const MAX_DEPTH = 4;

/** A value with what is required, and nothing else. */
function sample(schema: Json | undefined, schemas: Schemas, depth = 0): unknown {
  if (schema === undefined || depth > MAX_DEPTH) return {};
  const { $ref, anyOf, oneOf, allOf, type, properties, required } = schema;
  if (typeof $ref === 'string') return sample(schemas[$ref.split('/').at(-1) ?? ''], schemas, depth + 1);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  // Of schemas, as the document has them.
  const choice = [anyOf, oneOf, allOf].find((each) => Array.isArray(each));
  if (Array.isArray(choice)) return sample(choice[0], schemas, depth + 1);
  if (type === 'array') return [];
  if (type === 'object') {
    const members = (properties ?? {}) as Readonly<Record<string, Json>>; // of schemas, too
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
