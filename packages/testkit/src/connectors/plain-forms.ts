// The plain connector's authority form and the validation of its values, both handwritten.

export const PLAIN_KIND = 'PlainCA';

/** A value as platforms send it. */
export interface GivenValue {
  readonly name: string;
  readonly content: readonly { readonly data: unknown }[];
}

/** Members used for validation; others are only displayed. */
interface Definition {
  readonly [member: string]: unknown;
  readonly name: string;
  readonly type: string;
  readonly contentType?: string;
  readonly content?: readonly { readonly reference?: string; readonly data: unknown }[];
  readonly properties?: { readonly [member: string]: unknown; readonly required?: boolean; readonly list?: boolean };
  readonly constraints?: readonly { readonly type: string; readonly data: unknown }[];
}

const uuid = (number: number): string => `0193f0a2-5151-7000-8000-${String(number).padStart(12, '0')}`;

const field = (number: number, facts: { readonly name: string; readonly contentType: string }, more: object = {}) => ({
  version: 2,
  uuid: uuid(number),
  type: 'data',
  ...facts,
  properties: { label: facts.name, visible: true, required: true, readOnly: false, list: false, multiSelect: false },
  ...more,
});

/** Patterns must match the whole value. */
const NAME = '[A-Za-z][A-Za-z0-9 -]{2,40}';
const callback = {
  callbackContext: '/v1/authorityProvider/callbacks/{flavour}/attributes',
  callbackMethod: 'GET',
  mappings: [{ from: 'data_flavour.data', to: 'flavour', targets: ['pathVariable'] }],
};

export const definitionsOfAuthority: readonly Definition[] = [
  {
    version: 2,
    uuid: uuid(1),
    name: 'info_plain',
    type: 'info',
    contentType: 'text',
    content: [{ data: 'In-memory CA.' }],
    properties: { label: 'Plain CA', visible: true },
  },
  field(2, { name: 'data_commonName', contentType: 'string' }, { constraints: [{ type: 'regExp', data: NAME }] }),
  field(3, { name: 'data_pin', contentType: 'secret' }),
  field(
    4,
    { name: 'data_flavour', contentType: 'string' },
    {
      content: [
        { reference: 'Vanilla', data: 'vanilla' },
        { reference: 'Lemon', data: 'lemon' },
      ],
      properties: { label: 'Flavour', visible: true, required: true, readOnly: false, list: true, multiSelect: false },
    },
  ),
  { version: 2, uuid: uuid(5), name: 'group_flavour', type: 'group', attributeCallback: callback },
];

/** Definitions returned by the group's callback. */
export const optionalDefinitions: readonly Definition[] = [
  field(
    6,
    { name: 'data_scoops', contentType: 'integer' },
    { content: [{ data: 2 }], constraints: [{ type: 'range', data: { from: 1, to: 3 } }] },
  ),
];

/** Returns all problems with the values. */
export function problemsOf(definitions: readonly Definition[], given: readonly GivenValue[]): string[] {
  const known = definitions.length === 0 ? [] : [...definitions, ...optionalDefinitions];
  return known.flatMap((definition) => {
    const data = given.find(({ name }) => name === definition.name)?.content[0]?.data;
    const isRequired =
      definition.type === 'data' && definition.properties?.required && !optionalDefinitions.includes(definition);
    if (data === undefined) return isRequired ? [`${definition.name} is required.`] : [];
    return fits(definition, data) ? [] : [`${definition.name} does not meet the constraints.`];
  });
}

function fits({ name, content = [], properties }: Definition, data: unknown): boolean {
  if (name === 'data_commonName') return typeof data === 'string' && new RegExp(`^(?:${NAME})$`).test(data);
  if (name === 'data_scoops') return typeof data === 'number' && data >= 1 && data <= 3;
  return properties?.list ? content.some((choice) => choice.data === data) : true;
}
