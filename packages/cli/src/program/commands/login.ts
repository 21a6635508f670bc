// `signetry login`: saves a platform URL and a token under a name, once the platform has accepted them.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { saveLoginContext } from '../platform/login-contexts.ts';

const { url: _url, context: _context, data: _data, ...credentials } = connectionFlags;

export const login = command({
  name: 'login',
  about: 'Save the URL and access token of a platform as a named context',
  arguments: [{ name: 'URL', about: 'URL of the platform, e.g. https://ca.example:8443' }],
  flags: {
    ...credentials,
    context: { value: 'NAME', about: 'Name of the context (default: the host in the URL)' },
  },
  details: [
    'Checks the token with the platform; nothing is saved if the platform rejects it. Other commands use the context with --context NAME (SIGNETRY_CONTEXT). If none is specified and no platform is running on this machine, they use the context of the last login.',
  ],
  examples: [
    'signetry login https://ca.example:8443 --token-file token --ca root-ca.pem --context prod',
    'signetry certificates list --context prod',
  ],
  async run({ args: [url = ''], flags, json }, context) {
    const name = flags.context ?? hostOf(url);
    if (!/^[\w.:-]{1,64}$/.test(name))
      throw usageError('--context must be 1 to 64 letters, digits, dots, colons, dashes or underscores.');
    const { client, platform, options } = await connect(
      { ...flags, url, context: undefined, data: undefined },
      context,
    );
    const { username } = await client.auth.getUserProfile({}, options);
    const { api, token, trusted } = platform;
    const ca = flags.ca === undefined ? undefined : trusted?.[0];
    const file = await saveLoginContext(name, { login: { api, token, ca }, context });
    if (json) printJson(context, { context: name, api, username });
    else {
      context.out(`Signed in to ${api} as ${username}. Saved as context "${name}".`);
      context.err(`The token is stored in ${file}, readable only by you.`);
    }
    return EXIT.ok;
  },
});

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
