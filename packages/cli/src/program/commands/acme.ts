// `signetry acme-directory`: the directory for ACME clients.
import { command } from '../command-line/command.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { connect } from '../platform/connect.ts';
import { DEFAULT_ACME_PROFILE, findAcmeProfile } from '../platform/find-acme-profile.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export const showAcmeDirectory = command({
  name: 'acme-directory',
  about: 'Print the directory URL for ACME clients',
  arguments: [{ name: 'PROFILE', about: `ACME profile; ${DEFAULT_ACME_PROFILE} when absent`, optional: true }],
  flags: connectionFlags,
  examples: ['certbot register --server "$(signetry acme-directory)"'],
  async run({ args: [name = DEFAULT_ACME_PROFILE], flags, json }, context) {
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
