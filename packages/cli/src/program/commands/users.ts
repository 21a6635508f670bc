// `signetry users`: a second person, and invitations for them and for whoever lost their passkeys.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRole, findUser } from '../platform/find-principals.ts';

export const createUser = command({
  name: 'users create',
  about: 'Create a user, who can sign in once invited',
  arguments: [{ name: 'NAME', about: 'name of the user' }],
  flags: {
    role: { value: 'NAME', many: true, about: 'A role of the user; you need every right that it gives' },
    email: { value: 'ADDRESS', about: 'E-mail address, for whoever looks at the user' },
    ...connectionFlags,
  },
  details: ['Without a role the user may do nothing but look after their own profile.'],
  examples: ['signetry users create alice --role admin'],
  async run({ args: [name = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    // Before anything is made.
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
      const may = roles.length === 0 ? 'has no role' : `has ${roles.map((role) => role.name).join(', ')}`;
      context.err(
        `User ${name} (${user.uuid}) ${may}. \`signetry users invite ${name}\` prints a link to sign in with.`,
      );
    }
    return EXIT.ok;
  },
});

export const inviteUser = command({
  name: 'users invite',
  about: 'Print a link with which a user registers a passkey, once; ends an older invitation',
  arguments: [{ name: 'NAME', about: 'name of the user' }],
  flags: connectionFlags,
  details: ['Only the link goes to standard output. Whoever opens it first can sign in as the user.'],
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
