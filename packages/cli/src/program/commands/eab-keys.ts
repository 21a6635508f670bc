// `signetry acme eab`: manages external account keys for ACME clients.
import { describeNamePolicy, type AcmeEabKey, type AcmeEabKeyState, type IssuedAcmeEabKey } from '@signetry/contract';
import { command, type Argument } from '../command-line/command.ts';
import { parseDurationMs } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { printAll } from '../output/print-list.ts';
import { renderFacts, type Column, type Fact, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { acmeProfileFlag, findAcmeProfile } from '../platform/find-acme-profile.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { namePolicyFacts, namePolicyFlags, namePolicyOf } from './eab-name-policy.ts';

const keyArgument: Argument = { name: 'KEY', about: 'key ID or UUID, from `signetry acme eab list`' };

export const createEabKey = command({
  name: 'acme eab create',
  about: 'Create an external account key for ACME clients; it is shown only once',
  flags: {
    ...acmeProfileFlag,
    reusable: { about: 'Allow any number of accounts instead of one' },
    expires: { value: 'DURATION', initial: '30d', about: 'How long accounts can be created with the key, or "never"' },
    description: { value: 'TEXT', about: 'Description, e.g. the holder of the key' },
    ...namePolicyFlags,
    ...connectionFlags,
  },
  details: [
    'Prints the key ID and the MAC key (base64url) to standard output as shell assignments.',
    'Name rules apply to all accounts created with the key, in addition to those of the ACME profile, and cannot be changed. If anything is allowed, everything else (including IP addresses) is rejected; deny rules always win.',
  ],
  examples: [
    'eval "$(signetry acme eab create --description "web team")"',
    'signetry acme eab create --allow-dns web.example.com --deny-dns secret.web.example.com --no-wildcards',
    'signetry acme eab create --allow-ip 10.1.0.0/16 --allow-ip 2001:db8::/32',
    'certbot register --eab-kid "$EAB_KID" --eab-hmac-key "$EAB_HMAC_KEY"',
  ],
  async run({ flags, json }, context) {
    const { reusable, description } = flags;
    const lifeMs = flags.expires === 'never' ? undefined : parseDurationMs('--expires', flags.expires);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findAcmeProfile(connection, flags.profile);
    const namePolicy = namePolicyOf(flags);
    const body = {
      reusable,
      ...(description === undefined ? {} : { description }),
      ...(lifeMs === undefined ? {} : { expiresAt: new Date(context.now() + lifeMs).toISOString() }),
      ...(namePolicy === undefined ? {} : { namePolicy }),
    };
    const key = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body }, options);
    if (json) printJson(context, key);
    else {
      context.out(`EAB_KID=${key.keyId}`);
      context.out(`EAB_HMAC_KEY=${key.macKey}`);
      context.err(describeIssuedKey(key, { profile: flags.profile, now: context.now() }));
    }
    return EXIT.ok;
  },
});

function describeIssuedKey(key: IssuedAcmeEabKey, { profile, now }: { profile: string; now: number }): string {
  const until = key.expiresAt === undefined ? 'without expiry' : `until ${describeTime(key.expiresAt, now)}`;
  const count = key.reusable ? 'any number of accounts' : 'one account';
  const names = describeNamePolicy(key.namePolicy);
  const rule = names === undefined ? '' : ` Names: ${names}.`;
  return `Valid for ${count} of ACME profile "${profile}", ${until}.${rule} The MAC key is not shown again.`;
}

export const listEabKeys = command({
  name: 'acme eab list',
  about: 'List external account keys of an ACME profile',
  flags: { ...acmeProfileFlag, ...connectionFlags },
  async run({ flags, json }, context) {
    const connection = await connect(flags, context);
    const { keys } = await keysOf(connection, flags.profile);
    printAll(context, keys, { json, columns: columns(context.now()), what: 'external account keys' });
    return EXIT.ok;
  },
});

export const showEabKey = command({
  name: 'acme eab show',
  about: 'Show an external account key, without its MAC key',
  arguments: [keyArgument],
  flags: { ...acmeProfileFlag, ...connectionFlags },
  async run({ args: [given = ''], flags, json }, context) {
    const { key } = await findKey(await connect(flags, context), { profile: flags.profile, given });
    if (json) printJson(context, key);
    else context.out(renderFacts(factsOf(key, context.now()), context));
    return EXIT.ok;
  },
});

const factsOf = (key: AcmeEabKey, now: number): readonly Fact[] => [
  ['Key ID', key.keyId],
  ['UUID', key.uuid],
  ['Description', key.description],
  ['State', key.state, stateTone(key.state)],
  ['Valid for', key.reusable ? 'any number of accounts' : 'one account'],
  ['Accounts', String(key.boundAccounts)],
  ...namePolicyFacts(key.namePolicy),
  ['Created', `${describeTime(key.createdAt, now)} by ${key.createdBy}`],
  ['Last used', key.lastUsedAt === undefined ? 'never' : describeTime(key.lastUsedAt, now)],
  ['Expires', key.expiresAt === undefined ? 'never' : describeTime(key.expiresAt, now)],
];

const columns = (now: number): readonly Column<AcmeEabKey>[] => [
  { title: 'Key ID', isWhole: true, text: ({ keyId }) => keyId },
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => stateTone(state) },
  { title: 'Valid for', text: ({ reusable }) => (reusable ? 'many' : 'one') },
  { title: 'Accounts', text: ({ boundAccounts }) => String(boundAccounts) },
  {
    title: 'Expires',
    text: ({ expiresAt }) => (expiresAt === undefined ? 'never' : describeTime(expiresAt, now)),
  },
  { title: 'Names', text: ({ namePolicy }) => describeNamePolicy(namePolicy) ?? 'any' },
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
  about: 'Revoke an external account key; accounts created with it are not affected',
  arguments: [keyArgument],
  flags: { ...acmeProfileFlag, ...connectionFlags },
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid, key } = await findKey(connection, { profile: flags.profile, given });
    await client.acmeEabKeys.revokeAcmeEabKey({ params: { uuid, keyUuid: key.uuid } }, options);
    if (json) printJson(context, { uuid: key.uuid, keyId: key.keyId, revoked: true });
    else context.err(`External account key ${key.keyId} revoked.`);
    return EXIT.ok;
  },
});

/** Finds a key by its key ID or UUID. Also returns its profile's UUID. */
async function findKey(
  connection: Connection,
  { profile, given }: { readonly profile: string; readonly given: string },
): Promise<{ readonly uuid: string; readonly key: AcmeEabKey }> {
  const { uuid, keys } = await keysOf(connection, profile);
  const key = keys.find(({ keyId }) => keyId === given) ?? keys.find((one) => one.uuid === given.toLowerCase());
  if (key !== undefined) return { uuid, key };
  throw new CliFailure(`ACME profile "${profile}" has no external account key "${given}".`, {
    help: ['`signetry acme eab list` shows all keys; --profile selects a different ACME profile.'],
  });
}

async function keysOf(
  connection: Connection,
  profileName: string,
): Promise<{ readonly uuid: string; readonly keys: readonly AcmeEabKey[] }> {
  const { client, options } = connection;
  const { uuid } = await findAcmeProfile(connection, profileName);
  return { uuid, keys: await client.acmeEabKeys.listAcmeEabKeys({ params: { uuid } }, options) };
}
