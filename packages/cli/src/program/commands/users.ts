// `signetry users`: creates users, and invites new users and users who lost their passkeys.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRole, findUser } from '../platform/find-principals.ts';

export const createUser = command({
  name: 'users create',
  about: 'Create a user, who can sign in after an invitation',
  arguments: [{ name: 'NAME', about: 'name of the user' }],
  flags: {
    role: { value: 'NAME', many: true, about: 'Role of the user; you must have all permissions that it grants' },
    email: { value: 'ADDRESS', about: 'Email address, for information only' },
    ...connectionFlags,
  },
  details: ['Without a role, the user can only manage their own profile.'],
  examples: ['signetry users create alice --role admin'],
  async run({ args: [name = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    // Look up the roles before creating anything.
    const roles = await Promise.all(flags.role.map((role) => findRole(connection, role)));
    const email = flags.email === undefined ? {} : { email: flags.email };
    const created = await client.users.createUser({ body: { username: name, enabled: true, ...email } }, options);
    const params = { userUuid: created.uuid };
    const user =
      roles.length === 0
        ? created
        : await client.users.updateUserRoles({ params, body: roles.map(({ uuid }) => uuid) }, options);
    if (json) printJson(context, user);
    else {
      const may = roles.length === 0 ? 'no roles' : `roles: ${roles.map((role) => role.name).join(', ')}`;
      context.err(
        `User "${name}" (${user.uuid}) created; ${may}. \`signetry users invite ${name}\` prints a sign-in link.`,
      );
    }
    return EXIT.ok;
  },
});

export const inviteUser = command({
  name: 'users invite',
  about: 'Print a one-time link with which a user registers a passkey; it replaces a previous invitation',
  arguments: [{ name: 'NAME', about: 'name of the user' }],
  flags: connectionFlags,
  details: [
    'Only the link is written to standard output. Anyone who has the link can use it once to sign in as the user.',
  ],
  examples: ['signetry users invite alice'],
  async run({ args: [name = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findUser(connection, name);
    const invitation = await client.invitations.createInvitation({ params: { userUuid: uuid } }, options);
    if (json) printJson(context, invitation);
    else {
      context.out(invitation.url);
      const until = describeTime(invitation.expiresAt, context.now());
      context.err(`Send this link to ${name}. It works once, until ${until}.`);
    }
    return EXIT.ok;
  },
});
