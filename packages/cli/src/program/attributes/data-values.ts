// Values of attributes that a connector asks for, as people write them on a command line: NAME=VALUE.
import type { RequestAttributeDto } from '@signetry/contract';
import { wrongUsage } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import { valueOf, type GivenValues } from './custom-values.ts';

/** As the platform answers definitions, before the defaults of what was left out. */
export type Definitions = Awaited<ReturnType<Connection['client']['keys']['listCreateKeyAttributes']>>;
type DataDefinition = Extract<Definitions[number], { readonly type: 'data' }>;

/** Those that take a value. */
export const dataDefinitions = (definitions: Definitions): readonly DataDefinition[] =>
  definitions.filter((each): each is DataDefinition => each.type === 'data');

/** Names and labels are accepted. Refuses all that cannot be sent, at once. */
export function dataValues(definitions: Definitions, given: GivenValues): RequestAttributeDto[] {
  const known = dataDefinitions(definitions);
  const problems: string[] = [];
  const values = [...given].flatMap(([name, texts]) => {
    const definition = known.find((each) => each.name === name) ?? known.find((each) => each.properties.label === name);
    if (!definition) problems.push(`Nothing called ${name} is asked for; ${wordsOf(known)}`);
    else if (definition.contentType === 'secret')
      problems.push(`${definition.name} is a secret, which others on this machine could see here: use the console.`);
    else return valueOf(definition, texts, { what: 'attribute', problems });
    return [];
  });
  const isGiven = (definition: DataDefinition): boolean => values.some(({ name }) => name === definition.name);
  const missing = known.filter((each) => each.properties.required && !each.content?.length && !isGiven(each));
  const choosable = known.filter((each) => each.properties.required && each.properties.list && !isGiven(each));
  for (const each of new Set([...missing, ...choosable])) problems.push(`${each.name} is missing: ${describe(each)}.`);
  const [first, ...more] = problems;
  if (first !== undefined) throw wrongUsage(first, ...more);
  return values;
}

const wordsOf = (known: readonly DataDefinition[]): string =>
  known.length === 0 ? 'there is nothing to give.' : `there is ${known.map(({ name }) => name).join(', ')}.`;

/** `Algorithm and size, one of RSA-2048, P-256` */
function describe({ properties, content = [] }: DataDefinition): string {
  const choices = properties.list ? content.map(({ data }) => String(data)) : [];
  return `${properties.label}${choices.length === 0 ? '' : `, one of ${choices.join(', ')}`}`;
}
