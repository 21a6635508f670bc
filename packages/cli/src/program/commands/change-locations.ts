// `signetry locations push|issue|renew|remove`: installs certificates in locations and removes them.
import { findCertificate } from '../certificates/find-certificate.ts';
import { findProfile } from '../certificates/profile.ts';
import { titleOf } from '../certificates/title.ts';
import { customFlag } from '../attributes/custom-flag.ts';
import { command, type Argument, type Flags } from '../command-line/command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import type { Context } from '../context.ts';
import {
  deploymentOf,
  findLocation,
  type DeployedCertificate,
  type FoundLocation,
  type LocationPath,
} from '../locations/find-location.ts';
import { exitOf, followDeployment } from '../locations/follow-deployment.ts';
import { printDeployment } from '../locations/print-location.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { locationSelector } from './locations.ts';

const certificateSelector: Argument = {
  name: 'CERTIFICATE',
  about: 'name, UUID, serial number or fingerprint of a certificate',
};

const followFlag = {
  about: 'Wait until the certificate is served, or installed if the location has no endpoint',
} as const;
const FOLLOWING =
  'With --follow, the command fails if the provider rejects the certificate, or if the endpoint of the location does not serve it in time.';

const replaceFlag = { about: 'Replace the current certificate if the location has room for only one' } as const;

const pushFlags = {
  set: { value: 'NAME=VALUE', many: true, about: 'Attribute value for the location, by name or label' },
  replace: replaceFlag,
  follow: followFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const pushToLocation = command({
  name: 'locations push',
  about: 'Install a certificate from the inventory in a location',
  arguments: [locationSelector, certificateSelector],
  flags: pushFlags,
  details: ['The private key is not sent. A certificate that is not issued yet is installed once it is.', FOLLOWING],
  examples: ['signetry locations push nginx www.example.com --follow'],
  async run({ args: [given = '', selector = ''], flags, json }, context) {
    const { readNamedValues } = await import('../attributes/custom-values.ts');
    const { dataValues } = await import('../attributes/data-values.ts');
    const values = readNamedValues('--set', flags.set);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { place } = await findLocation(connection, given);
    const { uuid: certificateUuid } = await findCertificate(connection, selector);
    const attributes = dataValues(await client.locations.listPushAttributes({ params: place }, options), values);
    const params = { ...place, certificateUuid };
    await client.locations.pushCertificate({ params, body: { attributes, replace: flags.replace } }, options);
    const isPushed = (held: DeployedCertificate): boolean => held.certificateUuid === certificateUuid;
    return reportDeployment(connection, place, { isNew: isPushed, follows: flags.follow, json, context });
  },
});

const issueFlags = {
  profile: { value: 'NAME', initial: 'default', about: 'RA profile to issue under' },
  set: { value: 'NAME=VALUE', many: true, about: 'Attribute value for the location, by name or label' },
  option: { value: 'NAME=VALUE', many: true, about: 'Attribute value for the authority, by name or label' },
  custom: customFlag,
  replace: replaceFlag,
  follow: followFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const issueInLocation = command({
  name: 'locations issue',
  about: 'Issue a certificate for a key that is generated in a location, and install it there',
  arguments: [locationSelector],
  flags: issueFlags,
  details: [FOLLOWING],
  examples: ['signetry locations issue nginx --set data_subject=CN=www.example.com --set data_keyAlgorithm=P-256'],
  async run({ args: [given = ''], flags, json }, context) {
    const { customValues, readCustomFlags, readNamedValues } = await import('../attributes/custom-values.ts');
    const { dataValues } = await import('../attributes/data-values.ts');
    const wanted = readNamedValues('--set', flags.set);
    const further = readNamedValues('--option', flags.option);
    const custom = readCustomFlags(flags.custom);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { place } = await findLocation(connection, given);
    const profile = await findProfile(connection, flags.profile);
    const csrForm = await client.locations.listCsrAttributes({ params: place }, options);
    const issueForm = await client.clientOperations.listIssueCertificateAttributes({ params: profile }, options);
    const body = {
      raProfileUuid: profile.raProfileUuid,
      csrAttributes: dataValues(csrForm, wanted),
      issueAttributes: dataValues(issueForm, further),
      certificateCustomAttributes: await customValues(connection, custom, 'certificates'),
      replace: flags.replace,
    };
    const isNew = await newCertificateFilter(connection, place);
    await client.locations.issueCertificateToLocation({ params: place, body }, options);
    return reportDeployment(connection, place, { isNew, follows: flags.follow, json, context });
  },
});

export const renewInLocation = command({
  name: 'locations renew',
  about: 'Renew a certificate in its location, with a new or existing key of the location',
  arguments: [locationSelector, { ...certificateSelector, optional: true }],
  flags: { follow: followFlag, ...connectionFlags },
  details: ['CERTIFICATE can be omitted if the location holds only one.', FOLLOWING],
  examples: ['signetry locations renew nginx --follow'],
  async run({ args: [given = '', selector], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const found = await findLocation(connection, given);
    const { place } = found;
    const certificateUuid = await selectCertificate(connection, found, selector);
    const isNew = await newCertificateFilter(connection, place);
    await client.locations.renewCertificateInLocation({ params: { ...place, certificateUuid } }, options);
    return reportDeployment(connection, place, { isNew, follows: flags.follow, json, context });
  },
});

export const removeFromLocation = command({
  name: 'locations remove',
  about: 'Remove a certificate from a location',
  arguments: [locationSelector, { ...certificateSelector, optional: true }],
  flags: connectionFlags,
  details: [
    'CERTIFICATE can be omitted if the location holds only one. The certificate stays in the inventory and is not revoked.',
  ],
  async run({ args: [given = '', selector], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const found = await findLocation(connection, given);
    const certificateUuid = await selectCertificate(connection, found, selector);
    const params = { ...found.place, certificateUuid };
    await client.locations.removeCertificateFromLocation({ params }, options);
    printDeployment(context, await deploymentOf(connection, found.place), json);
    return EXIT.ok;
  },
});

/**
 * Returns the UUID of the selected certificate. Without a selector, returns the location's only certificate; installed
 * certificates take precedence over those that were never installed.
 */
async function selectCertificate(
  connection: Connection,
  { location, place }: FoundLocation,
  selector: string | undefined,
) {
  if (selector !== undefined) return (await findCertificate(connection, selector)).uuid;
  const { certificates } = await deploymentOf(connection, place);
  const there = certificates.filter(({ state }) => state === 'installed' || state === 'served');
  const [only, ...others] = there.length > 0 ? there : certificates;
  if (!only) throw new CliFailure(`Location "${location.name}" has no certificate.`);
  if (others.length === 0) return only.certificateUuid;
  throw new CliFailure(`Location "${location.name}" has multiple certificates. Specify one.`, {
    help: certificates.map((held) => `${held.certificateUuid}  ${titleOf(held)}, ${held.state}`),
  });
}

/** Returns a predicate that selects the certificates added to the location after this call. */
async function newCertificateFilter(
  connection: Connection,
  place: LocationPath,
): Promise<(held: DeployedCertificate) => boolean> {
  const { certificates } = await deploymentOf(connection, place);
  const before = new Set(certificates.map(({ certificateUuid }) => certificateUuid));
  return ({ certificateUuid }) => !before.has(certificateUuid);
}

interface ReportOptions {
  readonly isNew: (held: DeployedCertificate) => boolean;
  readonly follows: boolean;
  readonly json: boolean;
  readonly context: Context;
}

async function reportDeployment(
  connection: Connection,
  place: LocationPath,
  { isNew, follows, json, context }: ReportOptions,
): Promise<ExitCode> {
  const deployment = await followDeployment(connection, place, follows);
  printDeployment(context, deployment, json);
  return exitOf(deployment, isNew);
}
