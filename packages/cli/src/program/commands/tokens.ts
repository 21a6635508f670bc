// `signetry token`: manages the caller's access tokens.
import type { AccessToken } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { parseDurationMs } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { printAll } from '../output/print-list.ts';
import type { Column } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRole } from '../platform/find-principals.ts';

export const createToken = command({
  name: 'token create',
  about: 'Create an access token and print it; it is shown only once',
  arguments: [{ name: 'NAME', about: 'description, e.g. the purpose of the token' }],
  flags: {
    expires: { value: 'DURATION', initial: '90d', about: 'Lifetime, e.g. 12h, 90d, 1y, or never' },
    role: {
      value: 'NAME',
      about: 'Restrict the token to the permissions of this role; it never has more than your own',
    },
    ...connectionFlags,
  },
  details: ['Only the token is written to standard output, so that you can redirect it to a file.'],
  examples: ['signetry token create ci --expires 30d --role issuer > ci.token'],
  async run({ args: [name = ''], flags, json }, context) {
    const lifeMs = flags.expires === 'never' ? undefined : parseDurationMs('--expires', flags.expires);
    const expiry = lifeMs === undefined ? {} : { expiresAt: new Date(context.now() + lifeMs).toISOString() };
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const scope =
      flags.role === undefined ? {} : { scope: { roleUuid: (await findRole(connection, flags.role)).uuid } };
    const token = await client.accessTokens.createAccessToken({ body: { name, ...expiry, ...scope } }, options);
    if (json) printJson(context, token);
    else {
      context.out(token.token);
      const until =
        token.expiresAt === undefined
          ? 'does not expire'
          : `valid until ${describeTime(token.expiresAt, context.now())}`;
      context.err(`Token "${token.name}" (${token.uuid}) ${until}. It is not shown again.`);
    }
    return EXIT.ok;
  },
});

export const listTokens = command({
  name: 'token list',
  about: 'List your access tokens',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const tokens = await client.accessTokens.listAccessTokens({}, options);
    printAll(context, tokens, { json, columns: columns(context.now()), what: 'access tokens' });
    return EXIT.ok;
  },
});

const columns = (now: number): readonly Column<AccessToken>[] => [
  { title: 'Name', text: ({ name }) => name },
  { title: 'Created', text: ({ createdAt }) => describeTime(createdAt, now) },
  {
    title: 'Expires',
    text: ({ expiresAt }) => (expiresAt === undefined ? 'never' : describeTime(expiresAt, now)),
    tone: ({ expiresAt }) => (expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'bad' : undefined),
  },
  {
    title: 'Last used',
    text: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : describeTime(lastUsedAt, now)),
  },
  { title: 'Scope', text: ({ scope }) => (scope && (scope.role?.name ?? 'permissions')) ?? '' },
  { title: 'Created with', text: ({ madeWith }) => madeWith?.name ?? '' },
  { title: 'UUID', isWhole: true, text: ({ uuid }) => uuid },
];

export const revokeToken = command({
  name: 'token revoke',
  about: 'Revoke one of your access tokens and all tokens created with it',
  arguments: [{ name: 'UUID', about: 'UUID of the token, from `signetry token list`' }],
  flags: connectionFlags,
  async run({ args: [uuid = ''], flags, json }, context) {
    const { client, options } = await connect(flags, context);
    await client.accessTokens.revokeAccessToken({ params: { uuid } }, options);
    if (json) printJson(context, { uuid, revoked: true });
    else context.err(`Token ${uuid} and all tokens created with it revoked.`);
    return EXIT.ok;
  },
});
