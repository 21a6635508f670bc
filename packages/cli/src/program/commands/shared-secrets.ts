// `signetry cmp-profiles set-secret`, `scep-profiles set-challenge`: replaces the secret that all clients of a profile
// share. Short secrets are rejected because they can be guessed from a single recorded message.
import {
  isShortSecret,
  MIN_SHARED_SECRET_OCTETS,
  randomSharedSecret,
  type ProtocolCertificateAssociationsDto,
} from '@signetry/contract';
import { command, type Flags, type FlagValues } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { findNamed } from '../platform/find-named.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { readNamedFile } from '../platform/read-named-file.ts';

const secretFlags = {
  generate: { about: 'Generate a random secret and show it once' },
  'secret-file': {
    value: 'FILE',
    about: 'File that contains the secret; without it, the command prompts for the secret',
  },
} as const satisfies Flags;

interface NamedProfile {
  readonly uuid: string;
  readonly name: string;
}

interface Kind {
  readonly label: string;
  readonly name: string;
  /** Name of the secret in messages. */
  readonly what: string;
  readonly list: (connection: Connection) => Promise<readonly NamedProfile[]>;
  readonly replace: (connection: Connection, uuid: string, secret: string) => Promise<unknown>;
}

const setSecret = ({ label, name, what, list, replace }: Kind) =>
  command({
    name,
    about: `Replace the ${what} of ${label === 'SCEP' ? 'an' : 'a'} ${label} profile`,
    arguments: [{ name: 'PROFILE', about: `name or UUID of the ${label} profile` }],
    flags: { ...secretFlags, ...connectionFlags },
    details: [
      `Clients need the new secret immediately. It must have at least ${MIN_SHARED_SECRET_OCTETS} bytes; with --generate, it is printed to standard output as a shell assignment.`,
    ],
    examples: [`eval "$(signetry ${name} devices --generate)"`],
    async run({ args: [given = ''], flags, json }, context) {
      const secret = await readSecret(what, flags, context);
      const connection = await connect(flags, context);
      const profile = findNamed(label, await list(connection), given);
      await replace(connection, profile.uuid, secret);
      const shown = flags.generate ? { secret } : {};
      if (json) printJson(context, { uuid: profile.uuid, name: profile.name, ...shown });
      else {
        if (flags.generate) context.out(`SECRET=${secret}`);
        const remark = flags.generate ? ' It is not shown again.' : '';
        context.err(`Replaced the ${what} of ${label} profile "${profile.name}".${remark}`);
      }
      return EXIT.ok;
    },
  });

async function readSecret(what: string, flags: FlagValues<typeof secretFlags>, context: Context): Promise<string> {
  const { generate, 'secret-file': file } = flags;
  if (generate && file !== undefined) throw usageError('--generate and --secret-file are mutually exclusive.');
  if (generate) return randomSharedSecret();
  const { askHidden } = context;
  if (file === undefined && !askHidden)
    throw usageError(`Cannot prompt for the ${what}: no terminal.`, 'Use --generate or --secret-file FILE.');
  const help = 'Use --generate to generate a random one.';
  if (file !== undefined) return readSecretFile({ what, file, help }, context);
  return assertLong((await askHidden?.(`New ${what}: `)) ?? '', { what, help });
}

/** Reads the secret in the file that `--secret-file` names. `help` is shown if the secret is too short. */
export async function readSecretFile(
  { what, file, help }: { readonly what: string; readonly file: string; readonly help: string },
  { cwd }: Context,
): Promise<string> {
  const secret = (await readNamedFile('--secret-file', { file, cwd })).replace(/\r?\n$/, '');
  return assertLong(secret, { what, help });
}

function assertLong(secret: string, { what, help }: { readonly what: string; readonly help: string }): string {
  if (isShortSecret(secret))
    throw usageError(
      `The ${what} has ${Buffer.byteLength(secret)} bytes; it must have at least ${MIN_SHARED_SECRET_OCTETS}.`,
      help,
    );
  return secret;
}

/** Returns the associations to include in an update, which would otherwise remove them. */
const associationsOf = ({
  ownerUuid,
  groupUuids = [],
  customAttributes = [],
}: Partial<ProtocolCertificateAssociationsDto> = {}) => ({
  ...(ownerUuid === undefined ? {} : { ownerUuid }),
  groupUuids,
  customAttributes: customAttributes.flatMap(({ uuid, name, contentType, content = [] }) =>
    uuid === undefined ? [] : [{ uuid, name, contentType, content }],
  ),
});

export const setCmpSecret = setSecret({
  label: 'CMP',
  name: 'cmp-profiles set-secret',
  what: 'shared secret',
  list: ({ client, options }) => client.cmpProfiles.listCmpProfiles({}, options),
  replace: async ({ client, options }, cmpProfileUuid, sharedSecret) => {
    const params = { cmpProfileUuid };
    const profile = await client.cmpProfiles.getCmpProfile({ params }, options);
    const { name, variant, description, raProfile, signingCertificate } = profile;
    const body = {
      name,
      variant,
      requestProtectionMethod: profile.requestProtectionMethod,
      responseProtectionMethod: profile.responseProtectionMethod,
      ...(description === undefined ? {} : { description }),
      ...(raProfile ? { raProfileUuid: raProfile.uuid } : {}),
      ...(signingCertificate ? { signingCertificateUuid: signingCertificate.uuid } : {}),
      certificateAssociations: associationsOf(profile.certificateAssociations),
      sharedSecret,
    };
    return client.cmpProfiles.editCmpProfile({ params, body }, options);
  },
});

export const setScepChallenge = setSecret({
  label: 'SCEP',
  name: 'scep-profiles set-challenge',
  what: 'challenge password',
  list: ({ client, options }) => client.scepProfiles.listScepProfiles({}, options),
  replace: async ({ client, options }, uuid, challengePassword) => {
    const profile = await client.scepProfiles.getScepProfile({ params: { uuid } }, options);
    const { name, description, raProfile, caCertificate, renewThreshold } = profile;
    if (!caCertificate)
      throw new CliFailure(`SCEP profile "${name}" has no RA certificate.`, {
        help: ['Choose one in the console first; the profile cannot serve requests without it.'],
      });
    const body = {
      caCertificateUuid: caCertificate.uuid,
      includeCaCertificate: profile.includeCaCertificate,
      includeCaCertificateChain: profile.includeCaCertificateChain,
      ...(renewThreshold === undefined ? {} : { renewalThreshold: renewThreshold }),
      ...(description === undefined ? {} : { description }),
      ...(raProfile ? { raProfileUuid: raProfile.uuid } : {}),
      certificateAssociations: associationsOf(profile.certificateAssociations),
      challengePassword,
    };
    return client.scepProfiles.editScepProfile({ params: { uuid }, body }, options);
  },
});
