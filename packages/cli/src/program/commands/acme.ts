// `signetry acme-directory` and `signetry acme eab`: the directory for ACME clients, and external account keys.
import type { AcmeEabKey, AcmeEabKeyState, AcmeProfileListDto, IssuedAcmeEabKey } from '@signetry/contract';
import { command, type Flags } from '../command-line/command.ts';
import { durationMs } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { renderTable, type Column, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const DEFAULT_PROFILE = 'default';

const profileFlag = {
  profile: { value: 'NAME', initial: DEFAULT_PROFILE, about: 'ACME profile' },
} as const satisfies Flags;

export const showAcmeDirectory = command({
  name: 'acme-directory',
  about: 'Print the directory URL for ACME clients',
  arguments: [{ name: 'PROFILE', about: `ACME profile; ${DEFAULT_PROFILE} when absent`, optional: true }],
  flags: connectionFlags,
  examples: ['certbot register --server "$(signetry acme-directory)"'],
  async run({ args: [name = DEFAULT_PROFILE], flags, json }, context) {
    const profile = await findAcmeProfile(await connect(flags, context), name);
    if (profile.directoryUrl === undefined)
      throw new CliFailure(`The ACME profile ${profile.name} has no RA profile, so nothing is served there.`, {
        help: ['Give it one: PATCH /api/v1/acmeProfiles/{uuid}/raprofile/{raProfileUuid}.'],
      });
    if (json) printJson(context, profile);
    else context.out(profile.directoryUrl);
    if (!profile.enabled) context.err(`The ACME profile ${profile.name} is disabled: clients are refused.`);
    return EXIT.ok;
  },
});

export const createEabKey = command({
  name: 'acme eab create',
  about: 'Create an external account key for ACME clients; it is shown only once',
  flags: {
    ...profileFlag,
    reusable: { about: 'For any number of accounts instead of one' },
    expires: { value: 'DURATION', initial: '30d', about: 'How long accounts can be created with it, or never' },
    description: { value: 'TEXT', about: 'Who the key is for' },
    ...connectionFlags,
  },
  details: ['Standard output holds the two values as lines of a shell: the key id and the MAC key in base64url.'],
  examples: [
    'eval "$(signetry acme eab create --description "web team")"',
    'certbot register --eab-kid "$EAB_KID" --eab-hmac-key "$EAB_HMAC_KEY"',
  ],
  async run({ flags, json }, context) {
    const { reusable, description } = flags;
    const lifeMs = flags.expires === 'never' ? undefined : durationMs('--expires', flags.expires);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findAcmeProfile(connection, flags.profile);
    const body = {
      reusable,
      ...(description === undefined ? {} : { description }),
      ...(lifeMs === undefined ? {} : { expiresAt: new Date(context.now() + lifeMs).toISOString() }),
    };
    const key = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body }, options);
    if (json) printJson(context, key);
    else {
      context.out(`EAB_KID=${key.keyId}`);
      context.out(`EAB_HMAC_KEY=${key.macKey}`);
      context.err(remarkOn(key, { profile: flags.profile, now: context.now() }));
    }
    return EXIT.ok;
  },
});

function remarkOn(key: IssuedAcmeEabKey, { profile, now }: { profile: string; now: number }): string {
  const until = key.expiresAt === undefined ? 'without end' : `until ${describeTime(key.expiresAt, now)}`;
  const count = key.reusable ? 'any number of accounts' : 'one account';
  return `For ${count} of the ACME profile ${profile}, ${until}. The MAC key is not shown again.`;
}

export const listEabKeys = command({
  name: 'acme eab list',
  about: 'List the external account keys of an ACME profile',
  flags: { ...profileFlag, ...connectionFlags },
  async run({ flags, json }, context) {
    const connection = await connect(flags, context);
    const { keys } = await keysOf(connection, flags.profile);
    if (json) printJson(context, keys);
    else if (keys.length === 0) context.err('No external account keys.');
    else
      context.out(renderTable(keys, { columns: columns(context.now()), colour: context.colour, width: context.width }));
    return EXIT.ok;
  },
});

const columns = (now: number): readonly Column<AcmeEabKey>[] => [
  { title: 'Key id', isWhole: true, text: ({ keyId }) => keyId },
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => stateTone(state) },
  { title: 'For', text: ({ reusable }) => (reusable ? 'many' : 'one') },
  { title: 'Accounts', text: ({ boundAccounts }) => String(boundAccounts) },
  {
    title: 'Expires',
    text: ({ expiresAt }) => (expiresAt === undefined ? 'never' : describeTime(expiresAt, now)),
  },
  { title: 'Description', text: ({ description = '' }) => description },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

function stateTone(state: AcmeEabKeyState): Tone | undefined {
  switch (state) {
    case 'usable':
      return 'good';
    case 'used':
      return undefined;
    case 'expired':
      return 'warning';
    case 'revoked':
      return 'bad';
  }
}

export const revokeEabKey = command({
  name: 'acme eab revoke',
  about: 'Revoke an external account key; accounts that were created with it stay',
  arguments: [{ name: 'KEY', about: 'key id or UUID, from `signetry acme eab list`' }],
  flags: { ...profileFlag, ...connectionFlags },
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid, keys } = await keysOf(connection, flags.profile);
    const key = keys.find(({ keyId }) => keyId === given) ?? keys.find((one) => one.uuid === given.toLowerCase());
    if (key === undefined)
      throw new CliFailure(`The ACME profile ${flags.profile} has no external account key ${given}.`, {
        help: ['`signetry acme eab list` shows them; --profile names another ACME profile.'],
      });
    await client.acmeEabKeys.revokeAcmeEabKey({ params: { uuid, keyUuid: key.uuid } }, options);
    if (json) printJson(context, { uuid: key.uuid, keyId: key.keyId, revoked: true });
    else context.err(`External account key ${key.keyId} is revoked.`);
    return EXIT.ok;
  },
});

async function keysOf(
  connection: Connection,
  profileName: string,
): Promise<{ readonly uuid: string; readonly keys: readonly AcmeEabKey[] }> {
  const { client, options } = connection;
  const { uuid } = await findAcmeProfile(connection, profileName);
  return { uuid, keys: await client.acmeEabKeys.listAcmeEabKeys({ params: { uuid } }, options) };
}

/** Finds an ACME profile by name or UUID. */
async function findAcmeProfile({ client, options }: Connection, name: string): Promise<AcmeProfileListDto> {
  const profiles = await client.acmeProfiles.listAcmeProfiles({}, options);
  const profile = profiles.find((one) => one.name === name) ?? profiles.find((one) => one.uuid === name.toLowerCase());
  if (profile === undefined) {
    const names = profiles.map((one) => one.name).join(', ');
    throw new CliFailure(`There is no ACME profile ${name}, or it is not visible to you.`, {
      help: [names === '' ? 'There are no ACME profiles.' : `ACME profiles: ${names}.`],
    });
  }
  return profile;
}
