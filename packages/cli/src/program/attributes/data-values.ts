// Parses values of connector-defined attributes, given on the command line as NAME=VALUE.
import type { RequestAttributeDto } from '@signetry/contract';
import { usageError } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import { valueOf, type GivenValues } from './custom-values.ts';

/** Attribute definitions as returned by the platform, before defaults for omitted members are applied. */
export type Definitions = Awaited<ReturnType<Connection['client']['keys']['listCreateKeyAttributes']>>;
type DataDefinition = Extract<Definitions[number], { readonly type: 'data' }>;

/** Returns the definitions that accept a value. */
export const dataDefinitions = (definitions: Definitions): readonly DataDefinition[] =>
  definitions.filter((each): each is DataDefinition => each.type === 'data');

/** Converts values to request attributes. Accepts names and labels, and reports all rejected values together. */
export function dataValues(definitions: Definitions, given: GivenValues): RequestAttributeDto[] {
  const known = dataDefinitions(definitions);
  const problems: string[] = [];
  const values = [...given].flatMap(([name, texts]) => {
    const definition = known.find((each) => each.name === name) ?? known.find((each) => each.properties.label === name);
    if (!definition) problems.push(`Attribute "${name}" is not defined; ${describeAccepted(known)}`);
    else if (definition.contentType === 'secret')
      problems.push(
        `Attribute "${definition.name}" is a secret and must not be passed on the command line, where other users of this machine can read it. Use the console.`,
      );
    else return valueOf(definition, texts, { what: 'attribute', problems });
    return [];
  });
  const isGiven = (definition: DataDefinition): boolean => values.some(({ name }) => name === definition.name);
  const missing = known.filter((each) => each.properties.required && !each.content?.length && !isGiven(each));
  const choosable = known.filter((each) => each.properties.required && each.properties.list && !isGiven(each));
  for (const each of new Set([...missing, ...choosable])) problems.push(`Attribute ${describe(each)}.`);
  const [first, ...more] = problems;
  if (first !== undefined) throw usageError(first, ...more);
  return values;
}

const describeAccepted = (known: readonly DataDefinition[]): string =>
  known.length === 0
    ? 'no attributes are accepted.'
    : `accepted attributes: ${known.map(({ name }) => name).join(', ')}.`;

/** `"spec" (Algorithm and size) is required; allowed values: RSA-2048, P-256` */
function describe({ name, properties, content = [] }: DataDefinition): string {
  const choices = properties.list ? content.map(({ data }) => String(data)) : [];
  const label = properties.label === name ? '' : ` (${properties.label})`;
  return `"${name}"${label} is required${choices.length === 0 ? '' : `; allowed values: ${choices.join(', ')}`}`;
}
