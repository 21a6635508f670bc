// Settings of an ACME profile: form fields, values and facts.
import { Anchor } from '@mantine/core';
import { describeNamePolicy, type AcmeAdditionalChallenge, type AcmeProfileEditRequestDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { formatSeconds } from '../../../format/durations.ts';
import {
  duration,
  flag,
  settingTable,
  text,
  url,
  type SettingField,
  type ValuesOf,
} from '../../protocol-settings/setting-fields.tsx';
import type { Profile } from '../shapes.ts';
import { NamePolicyFields } from './name-policy-fields.tsx';
import { namePolicyOf, namePolicyValuesOf, noNamePolicy, type NamePolicyValues } from './name-policy-values.ts';

/** A name that clients can select, and its RA profile. */
export interface OfferValues {
  readonly name: string;
  readonly description: string;
  readonly raProfileUuid: string;
}

const link = (address: string): ReactNode =>
  address && (
    <Anchor href={address} inherit rel="noreferrer" target="_blank">
      {address}
    </Anchor>
  );

const namePolicy: SettingField<
  NamePolicyValues,
  ReturnType<typeof namePolicyOf>,
  NonNullable<Profile['namePolicy']>
> = {
  initial: noNamePolicy,
  read: namePolicyValuesOf,
  send: namePolicyOf,
  Field: ({ value, error, onChange }) => <NamePolicyFields values={value} error={error} onChange={onChange} />,
  fact: ['Allowed', (policy) => describeNamePolicy(policy) ?? 'all names and IP addresses'],
};

const offeredProfiles: SettingField<readonly OfferValues[], OfferValues[], readonly OfferValues[]> = {
  initial: [],
  read: (stored = []) => stored,
  send: (offers) =>
    offers.map(({ name, description, raProfileUuid }) => ({
      name: name.trim(),
      description: description.trim(),
      raProfileUuid,
    })),
  fact: ['Client-selectable profiles', (offers) => offers.map(({ name }) => name).join(', ') || 'none'],
};

/** Challenge types offered in addition to http-01, dns-01 and tls-alpn-01. */
const additionalChallenges: SettingField<
  readonly AcmeAdditionalChallenge[],
  AcmeAdditionalChallenge[],
  readonly AcmeAdditionalChallenge[]
> = {
  initial: [],
  read: (stored = []) => stored,
  send: (types) => [...types],
  fact: ['Challenges', (types) => ['http-01', 'dns-01', 'tls-alpn-01', ...types].join(', ')],
};

export const acmeSettings = settingTable<AcmeProfileEditRequestDto, Profile>()({
  offeredProfiles,
  externalAccountRequired: flag({
    label: 'Require an external account key',
    help: 'Only clients with a key from you can register. Otherwise, any client that can reach the directory can.',
    initial: false,
    fact: ['External account key', 'required', 'not required; any client that can reach the directory can register'],
  }),
  externalAccountValidates: flag({
    label: 'Do not validate names allowed for an external account key',
    help: 'Applies only to keys with allowed names, while they are neither revoked nor expired. CAA is still checked.',
    initial: false,
    fact: ['Names allowed for an external account key', 'not validated', undefined],
  }),
  requireContact: flag({
    label: 'Require a contact address',
    help: 'Email address provided by the client',
    initial: false,
    fact: ['Contact address', 'required', 'optional'],
  }),
  requireTermsOfService: flag({
    label: 'Require agreement to the terms of service',
    initial: false,
    fact: ['Terms of service', 'agreement required', 'no agreement required'],
  }),
  termsOfServiceUrl: url({ label: 'Terms of service URL', fact: ['Terms', link] }),
  websiteUrl: url({
    label: 'Website',
    help: 'Published in the directory, for more information',
    fact: ['Website', link],
  }),
  namePolicy,
  dnsResolverIp: text({
    label: 'DNS resolver',
    help: 'IP address; empty for the system resolver',
    placeholder: '192.0.2.53',
  }),
  dnsResolverPort: { ...text({ label: 'Port', help: 'Usually 53' }), initial: '53', read: (stored = '53') => stored },
  authorizationReuse: duration({
    label: 'Reuse validations for',
    help: '0: names are validated for every order',
    initial: 0,
    fact: [
      'Validation reuse',
      (seconds) => (seconds === 0 ? 'none; names are validated for every order' : `for ${formatSeconds(seconds)}`),
    ],
  }),
  additionalChallenges,
  allowLoopbackValidation: flag({
    label: 'Allow loopback addresses',
    help: 'For clients on the same machine as the platform. The platform never connects to its own listeners.',
    initial: false,
    fact: [
      'Loopback addresses',
      'allowed; names can point to the platform’s machine',
      'rejected, unless the platform itself listens on loopback only',
    ],
  }),
  validity: duration({
    label: 'Orders expire after',
    help: 'A client that has not finished by then must place a new order.',
    initial: 36_000,
    fact: ['Orders', (seconds) => `expire after ${formatSeconds(seconds)} unless the client completes them`],
  }),
  retryInterval: duration({
    label: 'Polling interval',
    help: 'While a certificate is being issued',
    initial: 30,
    fact: ['Polling', (seconds) => `every ${formatSeconds(seconds)} while a certificate is being issued`],
  }),
});

/** Settings that only an existing profile has. */
export const acmeTermsChange = settingTable<AcmeProfileEditRequestDto, Profile>()({
  termsOfServiceChangeDisable: flag({
    label: 'Suspend all clients while the terms change',
    help: 'Clients cannot obtain or renew certificates until this is turned off.',
    initial: false,
    fact: ['Terms change', 'all clients are suspended', undefined],
  }),
  termsOfServiceChangeUrl: url({
    label: 'New terms of service URL',
    help: 'Sent to suspended clients',
    fact: ['New terms', link],
  }),
});

/** `default` means that the profile does not specify any CAA identities. */
export interface CaaValues {
  readonly caa: 'default' | 'identities' | 'off';
  readonly caaIdentities: readonly string[];
}

export const caaValuesOf = (identities: readonly string[] | undefined): CaaValues => ({
  caa: identities === undefined ? 'default' : identities.length === 0 ? 'off' : 'identities',
  caaIdentities: identities ?? [],
});

export const caaBodyOf = ({ caa, caaIdentities }: CaaValues) =>
  caa === 'default' ? { caaByDefault: true } : { caaIdentities: caa === 'off' ? [] : [...caaIdentities] };

export type AcmeValues = ValuesOf<typeof acmeSettings> & ValuesOf<typeof acmeTermsChange> & CaaValues;
