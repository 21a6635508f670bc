// `signetry locations push|issue|renew|remove`: certificates into locations, and out of them.
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
  type Deployed,
  type FoundLocation,
  type LocationPlace,
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

const followFlag = { about: 'Wait until it is served, or installed where no endpoint is named' } as const;
const FOLLOWING =
  'With --follow the command fails when the certificate does not arrive: when the provider refuses it, or the endpoint of the location does not serve it in time.';

const replaceFlag = { about: 'Take the place of the certificate that is there, where there is room for one' } as const;

const pushFlags = {
  set: { value: 'NAME=VALUE', many: true, about: 'What the location asks for, by name or label' },
  replace: replaceFlag,
  follow: followFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const pushToLocation = command({
  name: 'locations push',
  about: 'Put a certificate of the inventory into a location',
  arguments: [locationSelector, certificateSelector],
  flags: pushFlags,
  details: ['The private key is not sent. What is not issued yet is installed as soon as it is.', FOLLOWING],
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
    const isPushed = (held: Deployed): boolean => held.certificateUuid === certificateUuid;
    return tell(connection, place, { isNew: isPushed, follows: flags.follow, json, context });
  },
});

const issueFlags = {
  profile: { value: 'NAME', initial: 'default', about: 'RA profile to issue under' },
  set: { value: 'NAME=VALUE', many: true, about: 'What the location asks for, by name or label' },
  option: { value: 'NAME=VALUE', many: true, about: 'What the authority asks for, by name or label' },
  custom: customFlag,
  replace: replaceFlag,
  follow: followFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const issueInLocation = command({
  name: 'locations issue',
  about: 'Issue a certificate for a key that is made in a location, and install it there',
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
    const isNew = await newIn(connection, place);
    await client.locations.issueCertificateToLocation({ params: place, body }, options);
    return tell(connection, place, { isNew, follows: flags.follow, json, context });
  },
});

export const renewInLocation = command({
  name: 'locations renew',
  about: 'Renew a certificate where it is, with the key that the location makes or keeps',
  arguments: [locationSelector, { ...certificateSelector, optional: true }],
  flags: { follow: followFlag, ...connectionFlags },
  details: ['The certificate may be left out where the location holds one only.', FOLLOWING],
  examples: ['signetry locations renew nginx --follow'],
  async run({ args: [given = '', selector], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const found = await findLocation(connection, given);
    const { place } = found;
    const certificateUuid = await heldBy(connection, found, selector);
    const isNew = await newIn(connection, place);
    await client.locations.renewCertificateInLocation({ params: { ...place, certificateUuid } }, options);
    return tell(connection, place, { isNew, follows: flags.follow, json, context });
  },
});

export const removeFromLocation = command({
  name: 'locations remove',
  about: 'Take a certificate out of a location',
  arguments: [locationSelector, { ...certificateSelector, optional: true }],
  flags: connectionFlags,
  details: [
    'The certificate may be left out where the location holds one only. It stays in the inventory and is not revoked.',
  ],
  async run({ args: [given = '', selector], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const found = await findLocation(connection, given);
    const certificateUuid = await heldBy(connection, found, selector);
    const params = { ...found.place, certificateUuid };
    await client.locations.removeCertificateFromLocation({ params }, options);
    printDeployment(context, await deploymentOf(connection, found.place), json);
    return EXIT.ok;
  },
});

/** The one that is meant; without a word about it, the one that is there rather than one that did not arrive. */
async function heldBy(connection: Connection, { location, place }: FoundLocation, selector: string | undefined) {
  if (selector !== undefined) return (await findCertificate(connection, selector)).uuid;
  const { certificates } = await deploymentOf(connection, place);
  const there = certificates.filter(({ state }) => state === 'installed' || state === 'served');
  const [only, ...others] = there.length > 0 ? there : certificates;
  if (!only) throw new CliFailure(`There is no certificate in the location ${location.name}.`);
  if (others.length === 0) return only.certificateUuid;
  throw new CliFailure(`The location ${location.name} has several certificates; name one.`, {
    help: certificates.map((held) => `${held.certificateUuid}  ${titleOf(held)}, ${held.state}`),
  });
}

/** Tells the certificates that come after now from those that were there before. */
async function newIn(connection: Connection, place: LocationPlace): Promise<(held: Deployed) => boolean> {
  const { certificates } = await deploymentOf(connection, place);
  const before = new Set(certificates.map(({ certificateUuid }) => certificateUuid));
  return ({ certificateUuid }) => !before.has(certificateUuid);
}

interface Told {
  readonly isNew: (held: Deployed) => boolean;
  readonly follows: boolean;
  readonly json: boolean;
  readonly context: Context;
}

async function tell(
  connection: Connection,
  place: LocationPlace,
  { isNew, follows, json, context }: Told,
): Promise<ExitCode> {
  const deployment = await followDeployment(connection, place, follows);
  printDeployment(context, deployment, json);
  return exitOf(deployment, isNew);
}
