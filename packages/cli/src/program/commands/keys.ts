// `signetry keys …`: lists, shows, creates and destroys keys in tokens.
import { KeyRequestType, KeyState, MAX_ITEMS_PER_PAGE, type KeyDetailDto, type KeyItemDto } from '@signetry/contract';
import { customFlag } from '../attributes/custom-flag.ts';
import { command, type Argument, type Flags, type FlagValues } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import { findNamed } from '../output/find-named.ts';
import { printPage } from '../output/print-list.ts';
import { renderFacts, type Column, type Fact, type Tone } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const selector: Argument = { name: 'KEY', about: 'UUID of a key, or its name in the token' };

const listFlags = {
  filter: {
    value: 'TEXT',
    many: true,
    about: 'Text in the name, or FIELD=VALUE for a search field, e.g. CKI_CRYPTOGRAPHIC_ALGORITHM=RSA',
  },
  state: { value: 'STATE', many: true, choices: KeyState.options, about: 'Only keys in this state' },
  page: { value: 'NUMBER', initial: '1', about: 'Page number' },
  'page-size': { value: 'NUMBER', initial: '50', about: 'Keys per page' },
  ...connectionFlags,
} as const satisfies Flags;

export const listKeys = command({
  name: 'keys list',
  about: 'List keys in tokens; a key pair counts as two',
  details: ['All conditions must match; multiple --state values match any of them.'],
  flags: listFlags,
  examples: ['signetry keys list --state active', 'signetry keys list --filter CK_TOKEN_INSTANCE=strongroom'],
  async run({ flags, json }, context) {
    const body = searchOf(flags);
    const { client, options } = await connect(flags, context);
    const answer = await client.keys.listKeys({ body }, options);
    printPage(context, answer, { rows: answer.cryptographicKeys, json, columns, what: 'keys' });
    return EXIT.ok;
  },
});

const MAX_PAGE = 999_999_999;

const property = fieldOf('keys');

function searchOf({ filter, state, page, 'page-size': size }: FlagValues<typeof listFlags>) {
  const filters: Filter[] = filter.map(
    (text) =>
      fieldFilter('keys', { text, objects: 'Keys' }) ?? property('CKI_NAME', { condition: 'CONTAINS', value: text }),
  );
  if (state.length > 0) filters.push(property('CKI_STATE', { condition: 'EQUALS', value: [...state] }));
  return {
    filters,
    pageNumber: parseWholeNumber('--page', { text: page, min: 1, max: MAX_PAGE }),
    itemsPerPage: parseWholeNumber('--page-size', { text: size, min: 1, max: MAX_ITEMS_PER_PAGE }),
  };
}

type KeyStateFacts = Pick<KeyItemDto, 'state' | 'enabled'>;

/** The enabled flag matters only for active keys. */
const stateOf = ({ state, enabled }: KeyStateFacts): string => (state === 'active' && !enabled ? 'disabled' : state);

function toneOf({ state, enabled }: KeyStateFacts): Tone | undefined {
  if (state === 'compromised') return 'bad';
  return state === 'active' ? (enabled ? 'good' : 'warning') : undefined;
}

const columns: readonly Column<KeyItemDto>[] = [
  { title: 'Name', text: ({ keyName }) => keyName },
  { title: 'Type', text: ({ type }) => type },
  { title: 'State', text: stateOf, tone: toneOf },
  { title: 'Algorithm', text: ({ keyAlgorithm, length }) => `${keyAlgorithm} ${length}` },
  { title: 'Token', isMinor: true, text: ({ tokenInstanceName = '' }) => tokenInstanceName },
  { title: 'Profile', isMinor: true, text: ({ tokenProfileName = '' }) => tokenProfileName },
  { title: 'Name in token', isMinor: true, text: ({ name }) => name },
  { title: 'Key UUID', isWhole: true, text: ({ keyWrapperUuid }) => keyWrapperUuid },
];

export const showKey = command({
  name: 'keys show',
  about: 'Show a key, its private and public parts, and the objects that use it',
  arguments: [selector],
  flags: { pem: { about: 'Print the public key as PEM' }, ...connectionFlags },
  examples: ['signetry keys show documents', 'signetry keys show UUID --pem > documents.pub.pem'],
  async run({ args: [given = ''], flags, json }, context) {
    const key = await findKey(await connect(flags, context), given);
    if (flags.pem) context.out(pemOf(key));
    else if (json) printJson(context, key);
    else context.out(renderFacts(factsOf(key), context));
    return EXIT.ok;
  },
});

/** Returns the SubjectPublicKeyInfo as PEM (RFC 7468 §13). */
function pemOf({ name, uuid, items }: KeyDetailDto): string {
  const data = items.find(({ type, format }) => type === 'Public' && format === 'SubjectPublicKeyInfo')?.keyData;
  if (data === undefined)
    throw new CliFailure(`Cannot print key "${name}" (${uuid}) as PEM: it has no available public key.`);
  return `-----BEGIN PUBLIC KEY-----\n${data.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END PUBLIC KEY-----`;
}

function factsOf(key: KeyDetailDto): readonly Fact[] {
  const { name, uuid, description, tokenInstanceName, tokenProfileName, owner, groups = [], associations = [] } = key;
  return [
    ['Name', name],
    ['UUID', uuid],
    ['Description', description],
    ['Token', tokenInstanceName ?? 'removed'],
    ['Token profile', tokenProfileName ?? 'none'],
    ['Owner', owner],
    ['Groups', groups.length === 0 ? undefined : groups.map((group) => group.name).join(', ')],
    ...key.items.flatMap((item): Fact[] => [
      [`${item.type} key`, `${item.keyAlgorithm} ${item.length}, ${stateOf(item)}`, toneOf(item)],
      ['', `can ${item.usage?.join(', ') || 'do nothing'}`],
    ]),
    ...associations.map((each): Fact => ['Used by', `${each.name} (${each.resource})`]),
  ];
}

const createFlags = {
  profile: { value: 'PROFILE', required: true, about: 'Token profile, by name or UUID' },
  type: { value: 'TYPE', initial: 'keyPair', choices: KeyRequestType.options, about: 'Type of key to create' },
  set: {
    value: 'NAME=VALUE',
    many: true,
    about: 'Attribute value for the token, by name or label; without it, the command lists the accepted attributes',
  },
  description: { value: 'TEXT', initial: '', about: 'Description, e.g. the purpose of the key' },
  disabled: { about: 'Create the key disabled; it cannot be used until it is enabled' },
  custom: customFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const createKey = command({
  name: 'keys create',
  about: 'Create a key in a token',
  arguments: [{ name: 'NAME', about: 'name of the key' }],
  flags: createFlags,
  details: ['The private key never leaves the token, unless it is created as exportable.'],
  examples: ['signetry keys create docs --profile signing --set data_keyAlias=docs --set data_keySpecification=P-256'],
  async run({ args: [name = ''], flags, json }, context) {
    const { customValues, readCustomFlags, readNamedValues } = await import('../attributes/custom-values.ts');
    const { dataValues } = await import('../attributes/data-values.ts');
    const [given, custom] = [readNamedValues('--set', flags.set), readCustomFlags(flags.custom)];
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const profiles = await client.tokenProfiles.listTokenProfiles({}, options);
    const profile = findNamed(profiles, flags.profile, { what: 'token profile', list: 'signetry keys list' });
    const type = KeyRequestType.parse(flags.type);
    const params = { tokenInstanceUuid: profile.tokenInstanceUuid, tokenProfileUuid: profile.uuid, type };
    const attributes = dataValues(await client.keys.listCreateKeyAttributes({ params }, options), given);
    const customAttributes = await customValues(connection, custom, 'keys');
    const own = { name, description: flags.description, enabled: !flags.disabled };
    const key = await client.keys.createKey({ params, body: { ...own, attributes, customAttributes } }, options);
    if (json) printJson(context, key);
    else context.out(renderFacts(factsOf(key), context));
    return EXIT.ok;
  },
});

export const destroyKey = command({
  name: 'keys destroy',
  about: 'Permanently destroy a key in its token',
  arguments: [selector],
  flags: { yes: { about: 'Confirm; otherwise nothing is destroyed' }, ...connectionFlags },
  details: [
    'The key cannot be restored; it can never sign or decrypt again. Its details and history are retained. A key that an authority signs with cannot be destroyed.',
  ],
  examples: ['signetry keys destroy documents --yes'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const key = await findKey(connection, given);
    if (!flags.yes) throw confirmationError(key);
    await connection.client.keys.destroyKey({ params: { uuid: key.uuid }, body: [] }, connection.options);
    reportDestroyed(key, { json, context });
    return EXIT.ok;
  },
});

function confirmationError({ name, uuid, associations = [] }: KeyDetailDto): CliFailure {
  const users = associations.map((each) => each.name).join(', ');
  return usageError(
    `Key "${name}" (${uuid}) was not destroyed: this cannot be undone and requires --yes.`,
    users === '' ? 'No object known to the platform uses it.' : `It is used by ${users}.`,
  );
}

function reportDestroyed(
  { uuid, name }: KeyDetailDto,
  { json, context }: { readonly json: boolean; readonly context: Context },
): void {
  if (json) printJson(context, { uuid, destroyed: true });
  else context.err(`Key "${name}" (${uuid}) destroyed.`);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findKey({ client, options }: Connection, given: string): Promise<KeyDetailDto> {
  const uuid = UUID.test(given) ? given : await uuidOfName({ client, options }, given);
  return client.keys.getKey({ params: { uuid } }, options);
}

/** Key names take precedence, because the names of key parts are not unique across tokens. */
async function uuidOfName({ client, options }: Pick<Connection, 'client' | 'options'>, name: string): Promise<string> {
  const filters = [property('CKI_NAME', { condition: 'EQUALS', value: name })];
  const body = { filters, itemsPerPage: MAX_ITEMS_PER_PAGE, pageNumber: 1 };
  const { cryptographicKeys } = await client.keys.listKeys({ body }, options);
  const named = cryptographicKeys.filter(({ keyName }) => keyName === name);
  const found = named.length > 0 ? named : cryptographicKeys;
  const [uuid, ...others] = new Set(found.map(({ keyWrapperUuid }) => keyWrapperUuid));
  const help = ['`signetry keys list` shows all keys.'];
  if (uuid === undefined) throw new CliFailure(`Key "${name}" not found, or not visible to you.`, { help });
  if (others.length > 0)
    throw new CliFailure(`Multiple keys are named "${name}": ${[uuid, ...others].join(', ')}.`, {
      help: ['Specify the UUID of one of them.'],
    });
  return uuid;
}
