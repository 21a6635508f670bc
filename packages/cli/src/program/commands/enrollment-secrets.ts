// `signetry enrollment-secrets`: manages one-time secrets, challenge passwords and passwords for CMP, SCEP and EST
// requests.
import {
  EnrollmentProtocol,
  namesOfEnrollmentSecret,
  type EnrollmentSecretDto,
  type HandedOutSecret,
} from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { parseDurationMs } from '../command-line/flag-values.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import { printAll } from '../output/print-list.ts';
import type { Column, Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRaProfile, raProfileFlag } from '../platform/find-ra-profile.ts';

export const createEnrollmentSecret = command({
  name: 'enrollment-secrets create',
  about: 'Create a one-time secret for a CMP, SCEP or EST request; it is shown only once',
  flags: {
    protocol: { value: 'PROTOCOL', choices: EnrollmentProtocol.options, about: 'Protocol of the request' },
    subject: { value: 'DN', about: 'Required subject of the request' },
    dns: { value: 'NAME', many: true, about: 'DNS name that the request can contain' },
    ip: { value: 'ADDRESS', many: true, about: 'IP address that the request can contain' },
    email: { value: 'ADDRESS', many: true, about: 'Email address that the request can contain' },
    expires: { value: 'DURATION', initial: '1d', about: 'How long the secret can be used' },
    ...raProfileFlag,
    ...connectionFlags,
  },
  details: [
    'A request can contain only these names. With --subject alone, its common name is also allowed as a SAN; without --subject, any of the SANs can be the common name. If none of these four flags is set, only the RA profile restricts the names.',
    'Prints both values to standard output as shell assignments. For EST, use the reference as the username.',
  ],
  examples: [
    'eval "$(signetry enrollment-secrets create --protocol cmp --subject CN=device-1.example)"',
    'signetry enrollment-secrets create --protocol est --dns router-7.example --ip 192.0.2.7',
  ],
  async run({ flags, json }, context) {
    if (flags.protocol === undefined)
      throw usageError(`--protocol is required; allowed values: ${EnrollmentProtocol.options.join(', ')}.`);
    const lifeMs = parseDurationMs('--expires', flags.expires);
    const protocol = EnrollmentProtocol.parse(flags.protocol);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid: raProfileUuid, name } = await findRaProfile(connection, flags['ra-profile']);
    const body = {
      protocol,
      expiresAt: new Date(context.now() + lifeMs).toISOString(),
      ...(flags.subject === undefined ? {} : { subject: flags.subject }),
      ...(flags.dns.length > 0 && { dnsNames: [...flags.dns] }),
      ...(flags.ip.length > 0 && { ipAddresses: [...flags.ip] }),
      ...(flags.email.length > 0 && { emails: [...flags.email] }),
    };
    const made = await client.enrollmentSecrets.createEnrollmentSecret({ params: { raProfileUuid }, body }, options);
    if (json) printJson(context, made);
    else {
      context.out(`REFERENCE=${made.reference}`);
      context.out(`SECRET=${made.secret}`);
      context.err(describeIssuedSecret(made, { name, now: context.now() }));
    }
    return EXIT.ok;
  },
});

function describeIssuedSecret(
  made: HandedOutSecret,
  { name, now }: { readonly name: string; readonly now: number },
): string {
  const names = namesOfEnrollmentSecret(made);
  const until = describeTime(made.expiresAt, now);
  return `Valid for one ${made.protocol.toUpperCase()} request${names === undefined ? '' : ` for ${names}`} under RA profile "${name}", until ${until}. The secret is not shown again.`;
}

export const listEnrollmentSecrets = command({
  name: 'enrollment-secrets list',
  about: 'List the one-time secrets of an RA profile, without their secret values',
  flags: { ...raProfileFlag, ...connectionFlags },
  async run({ flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid: raProfileUuid } = await findRaProfile(connection, flags['ra-profile']);
    const secrets = await client.enrollmentSecrets.listEnrollmentSecrets({ params: { raProfileUuid } }, options);
    printAll(context, secrets, { json, columns: columns(context.now()), what: 'one-time secrets' });
    return EXIT.ok;
  },
});

const columns = (now: number): readonly Column<EnrollmentSecretDto>[] => [
  { title: 'Reference', isWhole: true, text: ({ reference }) => reference },
  { title: 'Protocol', text: ({ protocol }) => protocol },
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => toneOf(state) },
  { title: 'Names', text: (secret) => namesOfEnrollmentSecret(secret) ?? 'any' },
  { title: 'Expires', text: ({ expiresAt }) => describeTime(expiresAt, now) },
  { title: 'Created by', isMinor: true, text: ({ createdBy }) => createdBy },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

function toneOf(state: EnrollmentSecretDto['state']): Tone | undefined {
  switch (state) {
    case 'usable':
      return 'good';
    case 'used':
      return undefined;
    case 'expired':
      return 'warning';
    case 'withdrawn':
      return 'bad';
  }
}

export const revokeEnrollmentSecret = command({
  name: 'enrollment-secrets revoke',
  about: 'Withdraw an unused one-time secret',
  arguments: [{ name: 'SECRET', about: 'reference or UUID, from `signetry enrollment-secrets list`' }],
  flags: { ...raProfileFlag, ...connectionFlags },
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid: raProfileUuid, name } = await findRaProfile(connection, flags['ra-profile']);
    const secrets = await client.enrollmentSecrets.listEnrollmentSecrets({ params: { raProfileUuid } }, options);
    const found = secrets.find(({ reference, uuid }) => reference === given || uuid === given.toLowerCase());
    if (!found)
      throw new CliFailure(`RA profile "${name}" has no one-time secret "${given}".`, {
        help: ['`signetry enrollment-secrets list` shows all secrets; --ra-profile selects a different RA profile.'],
      });
    const { uuid: secretUuid, reference } = found;
    if (found.state === 'used')
      throw new CliFailure(
        `Cannot withdraw one-time secret ${reference}: it was already used. Revoke its certificate instead.`,
      );
    await client.enrollmentSecrets.withdrawEnrollmentSecret({ params: { raProfileUuid, secretUuid } }, options);
    if (json) printJson(context, { uuid: secretUuid, reference, withdrawn: true });
    else context.err(`One-time secret ${reference} withdrawn.`);
    return EXIT.ok;
  },
});
