// `signetry sign-in`: a fresh one-time link for the browser.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const signIn = command({
  name: 'sign-in',
  about: 'Print a link that signs you in once in a browser',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const link = await client.signInLinks.createSignInLink({}, options);
    if (json) printJson(context, link);
    else context.out(link.url);
    return EXIT.ok;
  },
});
