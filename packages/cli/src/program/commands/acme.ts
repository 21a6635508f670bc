// `signetry acme-directory`: prints the directory URL for ACME clients.
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
  arguments: [{ name: 'PROFILE', about: `ACME profile (default: ${DEFAULT_ACME_PROFILE})`, optional: true }],
  flags: connectionFlags,
  examples: ['certbot register --server "$(signetry acme-directory)"'],
  async run({ args: [name = DEFAULT_ACME_PROFILE], flags, json }, context) {
    const profile = await findAcmeProfile(await connect(flags, context), name);
    if (profile.directoryUrl === undefined)
      throw new CliFailure(`ACME profile "${profile.name}" has no RA profile, so it does not serve a directory.`, {
        help: ['Assign one: PATCH /api/v1/acmeProfiles/{uuid}/raprofile/{raProfileUuid}.'],
      });
    if (json) printJson(context, profile);
    else context.out(profile.directoryUrl);
    if (!profile.enabled) context.err(`ACME profile "${profile.name}" is disabled: clients are rejected.`);
    return EXIT.ok;
  },
});
