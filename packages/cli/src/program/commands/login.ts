// `signetry login`: keeps the address of a platform and a token under a name, once the platform accepted them.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { wrongUsage } from '../failures.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { keepLoginContext } from '../platform/login-contexts.ts';

const { url: _url, context: _context, data: _data, ...credentials } = connectionFlags;

export const login = command({
  name: 'login',
  about: 'Keep the address of a platform and a token as a named context',
  arguments: [{ name: 'URL', about: 'address of the platform, e.g. https://ca.example:8443' }],
  flags: {
    ...credentials,
    context: { value: 'NAME', about: 'Name of the context; the host of the address when not given' },
  },
  details: [
    'Asks the platform who the token belongs to, and keeps nothing that it refuses. Other commands use the context with --context NAME (SIGNETRY_CONTEXT). The one of the last login is used where no platform runs on this machine and none is named.',
  ],
  examples: [
    'signetry login https://ca.example:8443 --token-file token --ca root-ca.pem --context prod',
    'signetry certificates list --context prod',
  ],
  async run({ args: [url = ''], flags, json }, context) {
    const name = flags.context ?? hostOf(url);
    if (!/^[\w.:-]{1,64}$/.test(name))
      throw wrongUsage('--context must be a name of letters, digits, dots and dashes.');
    const { client, platform, options } = await connect(
      { ...flags, url, context: undefined, data: undefined },
      context,
    );
    const { username } = await client.auth.getUserProfile({}, options);
    const { api, token, trusted } = platform;
    const ca = flags.ca === undefined ? undefined : trusted?.[0];
    const file = await keepLoginContext(name, { login: { api, token, ca }, context });
    if (json) printJson(context, { context: name, api, username });
    else {
      context.out(`Signed in to ${api} as ${username}, as the context ${name}.`);
      context.err(`The token is in ${file}, readable by you only.`);
    }
    return EXIT.ok;
  },
});

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
