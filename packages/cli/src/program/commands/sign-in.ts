// `signetry sign-in`: prints a new one-time sign-in link for the browser.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const signIn = command({
  name: 'sign-in',
  about: 'Print a one-time sign-in link for the browser',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const link = await client.signInLinks.createSignInLink({}, options);
    if (json) printJson(context, link);
    else context.out(link.url);
    return EXIT.ok;
  },
});
