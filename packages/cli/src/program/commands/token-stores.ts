// `signetry token-store …`: manages tokens that hold keys. `signetry token` manages access tokens.
import type { RequestAttributeDto, TokenInstanceDto, TokenInstanceStatus } from '@signetry/contract';
import { dataDefinitions } from '../attributes/data-values.ts';
import { command, type Argument } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import { findNamed } from '../output/find-named.ts';
import { printAll } from '../output/print-list.ts';
import type { Column, Tone } from '../output/table.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { readNamedFile } from '../platform/read-named-file.ts';

const selector: Argument = { name: 'TOKEN', about: 'name or UUID of a token that holds keys' };

export const listTokenStores = command({
  name: 'token-store list',
  about: 'List tokens that hold keys',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const tokens = await client.tokens.listTokenInstances({}, options);
    printAll(context, tokens, { json, columns, what: 'tokens' });
    return EXIT.ok;
  },
});

const tones: Partial<Readonly<Record<TokenInstanceStatus, Tone>>> = {
  Activated: 'good',
  Connected: 'good',
  Warning: 'warning',
  Disconnected: 'bad',
};

const columns: readonly Column<TokenInstanceDto>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Status', text: ({ status }) => status, tone: ({ status }) => tones[status] },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Profiles', text: ({ tokenProfiles }) => String(tokenProfiles) },
  { title: 'Connector', isMinor: true, text: ({ connectorName = '' }) => connectorName },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

export const activateTokenStore = command({
  name: 'token-store activate',
  about: 'Activate a token so that its keys can be used',
  arguments: [selector],
  flags: {
    'code-file': { value: 'FILE', about: 'File that contains the activation code; a line break at its end is ignored' },
    ...connectionFlags,
  },
  details: [
    'Prompts for the activation code without echo. The code is never passed as an argument or environment variable, which other users of this machine could see. The platform forwards it and does not store it.',
  ],
  examples: [
    'signetry token-store activate strongroom',
    'signetry token-store activate strongroom --code-file /run/secrets/strongroom',
  ],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid, name } = await findToken(connection, given);
    const body = await activationOf(connection, { uuid, name, codeFile: flags['code-file'] }, context);
    await client.tokens.activateTokenInstance({ params: { uuid }, body }, options);
    if (json) printJson(context, { uuid, activated: true });
    else context.err(`Token "${name}" activated.`);
    return EXIT.ok;
  },
});

export const deactivateTokenStore = command({
  name: 'token-store deactivate',
  about: 'Deactivate a token; its keys cannot be used until it is activated again',
  arguments: [selector],
  flags: connectionFlags,
  details: [
    'Anything that signs with a key in the token, such as an authority, stops working. Keys and certificates are not deleted.',
  ],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { uuid, name } = await findToken(connection, given);
    await connection.client.tokens.deactivateTokenInstance({ params: { uuid } }, connection.options);
    if (json) printJson(context, { uuid, activated: false });
    else context.err(`Token "${name}" deactivated.`);
    return EXIT.ok;
  },
});

const findToken = async ({ client, options }: Connection, given: string): Promise<TokenInstanceDto> =>
  findNamed(await client.tokens.listTokenInstances({}, options), given, {
    what: 'token',
    list: 'signetry token-store list',
  });

interface Activation {
  readonly uuid: string;
  readonly name: string;
  readonly codeFile: string | undefined;
}

/** Returns the attributes required for activation: a single code, or none. */
async function activationOf(
  { client, options }: Connection,
  { uuid, name, codeFile }: Activation,
  context: Context,
): Promise<RequestAttributeDto[]> {
  const form = await client.tokens.listTokenInstanceActivationAttributes({ params: { uuid } }, options);
  const asked = dataDefinitions(form).filter(({ properties, content }) => properties.required && !content?.length);
  const [code, ...others] = asked;
  if (others.length > 0 || (code && code.contentType !== 'secret'))
    throw new CliFailure(`Cannot activate token "${name}": it requires more than an activation code.`, {
      help: ['Activate it in the console.'],
    });
  if (!code) return [];
  const secret = await readCode(code.properties.label, codeFile, context);
  return [{ uuid: code.uuid, name: code.name, contentType: 'secret', content: [{ data: { secret } }] }];
}

async function readCode(label: string, codeFile: string | undefined, context: Context): Promise<string> {
  const { askHidden, cwd } = context;
  if (codeFile === undefined && !askHidden)
    throw usageError('Cannot prompt for the activation code: no terminal.', 'Specify a file with --code-file.');
  const code =
    codeFile === undefined
      ? ((await askHidden?.(`${label}: `)) ?? '')
      : (await readNamedFile('--code-file', { file: codeFile, cwd })).replace(/\r?\n$/, '');
  if (code === '') throw usageError('The activation code must not be empty.');
  return code;
}
