// Parses custom attribute values given on the command line as NAME=VALUE, using the platform's definitions.
import { contentItemSchemas, type RequestAttributeDto, type Resource } from '@signetry/contract';
import { usageError } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';

/** Values, keyed by attribute name. */
export type GivenValues = ReadonlyMap<string, readonly string[]>;

/** Parses `--custom` values before the platform is called. Groups them by attribute name and preserves their order. */
export const readCustomFlags = (given: readonly string[]): GivenValues => readNamedValues('--custom', given);

/** Parses the values of a flag that accepts NAME=VALUE. */
export function readNamedValues(flag: string, given: readonly string[]): GivenValues {
  const values = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw usageError(`${flag} must have the form NAME=VALUE, not "${text}".`);
    const name = text.slice(0, at).trim();
    values.set(name, [...(values.get(name) ?? []), text.slice(at + 1)]);
  }
  return values;
}

/** Converts values to the form that the API expects for a resource's objects. Reports all rejected values together. */
export async function customValues(
  { client, options }: Connection,
  given: GivenValues,
  resource: Resource,
): Promise<RequestAttributeDto[]> {
  if (given.size === 0) return [];
  const known = await client.customAttributes.getResourceCustomAttributes({ params: { resource } }, options);
  const problems: string[] = [];
  const values = [...given].flatMap(([name, texts]) => {
    const definition = known.find((each) => each.name === name) ?? known.find((each) => each.properties.label === name);
    if (definition) return valueOf(definition, texts, { what: 'custom attribute', problems });
    problems.push(
      `Custom attribute "${name}" for ${resource} not found, or not visible to you; ${known.length === 0 ? 'none is available' : `available: ${known.map((each) => each.name).join(', ')}`}.`,
    );
    return [];
  });
  const [first, ...more] = problems;
  if (first !== undefined) throw usageError(first, ...more);
  return values;
}

type Definition = Awaited<ReturnType<Connection['client']['customAttributes']['getResourceCustomAttributes']>>[number];

/** Returns an attribute's value. Adds a problem for each text that cannot be parsed. */
export function valueOf(
  definition: Pick<Definition, 'uuid' | 'name' | 'contentType' | 'content'>,
  texts: readonly string[],
  { what, problems }: { readonly what: string; readonly problems: string[] },
): RequestAttributeDto[] {
  const { uuid, name, contentType } = definition;
  const choices = new Map(definition.content?.map((item) => [choiceText(item), item]));
  const content = texts.flatMap((text) => {
    const choice = choices.get(text);
    if (choice) return [choice];
    const data = dataOf(contentType, text);
    if (data !== undefined && contentItemSchemas[contentType].safeParse({ data }).success) return [{ data }];
    problems.push(
      `The ${what} "${name}" must be ${FORMS[contentType]}${contentType === 'secret' ? '' : `, not "${text}"`}.`,
    );
    return [];
  });
  return [{ uuid, name, contentType, content } as RequestAttributeDto]; // The items match the content type.
}

type ContentType = Definition['contentType'];

/** Returns the text that selects a choice: its reference if it has one, otherwise its plain value. */
const choiceText = (item: { readonly reference?: string | undefined; readonly data: unknown }): string =>
  item.reference ?? String(item.data);

function dataOf(contentType: ContentType, text: string): unknown {
  switch (contentType) {
    case 'integer':
    case 'float':
      return /^\s*$/.test(text) ? text : Number(text);
    case 'boolean':
      return { true: true, yes: true, false: false, no: false }[text.toLowerCase()];
    case 'secret':
      return { secret: text };
    case 'object':
    case 'codeblock':
    case 'file':
    case 'credential':
      return jsonOf(text);
    default:
      return text;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FORMS: Readonly<Record<ContentType, string>> = {
  string: 'a text',
  text: 'a text',
  integer: 'a whole number',
  float: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-11-22',
  time: 'a time such as 13:45:00',
  datetime: 'a timestamp such as 2026-11-22T13:45:00Z',
  secret: 'a secret string',
  object: 'a JSON object',
  codeblock: 'JSON of the form {"language": "yaml", "code": BASE64}',
  file: 'JSON of the form {"content": BASE64, "fileName": NAME, "mimeType": TYPE}',
  credential: 'JSON of the form {"uuid": UUID, "name": NAME}',
};
