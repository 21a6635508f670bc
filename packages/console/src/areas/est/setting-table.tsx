// Settings of an EST profile: form fields, values and facts.
import { Select } from '@mantine/core';
import { EstKeyType, type EstProfileEditRequestDto, type EstRequestedAttributes } from '@signetry/contract';
import { formatSeconds } from '../../format/durations.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import {
  bindNames,
  duration,
  flag,
  list,
  settingTable,
  type FieldProps,
  type SettingField,
  type ValuesOf,
} from '../protocol-settings/setting-fields.tsx';
import { readExtension, readSubject, writeExtension, writeSubject } from './requested-values.ts';
import { UsersField, type UserValues } from './users-field.tsx';

const keyTypeLabels: Readonly<Record<EstKeyType, string>> = {
  ecdsaP256: 'ECDSA P-256',
  ecdsaP384: 'ECDSA P-384',
  ecdsaP521: 'ECDSA P-521',
  rsa2048: 'RSA 2048',
  rsa3072: 'RSA 3072',
  rsa4096: 'RSA 4096',
};

const users = {
  initial: [],
  read: (stored = []) => stored.map(({ username }) => ({ username, password: '', isKnown: true })),
  send: (entered) =>
    entered.map(({ username, password }) => ({ username: username.trim(), ...(password !== '' && { password }) })),
  Field: ({ value, error, onChange }) => <UsersField users={value} error={error} onChange={onChange} />,
  fact: ['Users', (entered) => entered.map(({ username }) => username).join('\n') || 'none'],
} satisfies SettingField<
  readonly UserValues[],
  EstProfileEditRequestDto['users'],
  readonly { readonly username: string }[]
>;

export const estSettings = settingTable<EstProfileEditRequestDto, EstProfile>()({
  users,
  oneTimePasswords: flag({
    label: 'Accept one-time passwords',
    help: 'Created under the RA profile; each is valid for one request',
    initial: true,
    fact: ['One-time passwords', 'accepted', 'not accepted'],
  }),
  ownCertificates: flag({
    label: 'Accept certificates from this CA',
    help: 'Clients can authenticate with certificates issued by the authority of the RA profile, and renew them',
    initial: true,
    fact: ['Certificates from this CA', 'accepted', 'not accepted'],
  }),
  trustedCertificateUuids: list({
    label: 'Other trusted authorities',
    help: 'UUIDs of certificates in the inventory, such as those of device manufacturer CAs',
    fact: ['Other trusted authorities', (uuids) => uuids.join('\n') || 'none'],
  }),
  bindNames,
  manualApproval: flag({
    label: 'Require manual approval',
    help: 'An operator approves or rejects each request',
    initial: false,
    fact: ['Manual approval', 'required', 'not required'],
  }),
  serverKeys: flag({
    label: 'Server-side key generation',
    help: 'For devices that cannot generate good keys. The key is sent with the certificate and not stored.',
    initial: false,
    fact: ['Key generation', 'by clients, or by the server on request', 'by clients'],
  }),
  passwordsRenew: flag({
    label: 'Allow renewal with a password',
    help: 'Otherwise, clients must authenticate with the certificate being renewed',
    initial: false,
    fact: ['With a password', 'allowed', 'not allowed'],
  }),
  renewalsKeepNames: flag({
    label: 'Renewals keep subject and SANs',
    help: 'A renewal must have the same subject and SANs as the certificate being renewed',
    initial: true,
    fact: ['Subject and SANs', 'must stay the same', 'can change'],
  }),
  requireLinking: flag({
    label: 'Require channel binding',
    help: 'Few clients support this (RFC 7030 §3.5)',
    initial: false,
    fact: ['Channel binding', 'required', 'not required'],
  }),
  retryAfter: duration({
    label: 'Retry-After',
    help: 'Sent while a request is pending',
    initial: 60,
    fact: ['Clients retry', (seconds) => `after ${formatSeconds(seconds)}`],
  }),
  isDefault: flag({
    label: 'Default profile (no label)',
    help: 'Served under /.well-known/est. Only one profile can be the default.',
    initial: false,
    fact: ['Default profile (no label)', 'yes', 'no'],
  }),
});

/** Empty if clients choose the key type. */
const keyType: SettingField<EstKeyType | '', EstKeyType | undefined, EstKeyType> = {
  initial: '',
  read: (stored = undefined) => stored ?? '',
  send: (chosen) => chosen || undefined,
  Field: ({ value, onChange }: FieldProps<EstKeyType | ''>) => (
    <Select
      label="Key type"
      clearable
      placeholder="Chosen by the client"
      data={EstKeyType.options.map((each) => ({ value: each, label: keyTypeLabels[each] }))}
      value={value || null}
      onChange={(chosen) => onChange(EstKeyType.options.find((each) => each === chosen) ?? '')}
    />
  ),
  fact: ['Key type', (chosen) => (chosen === '' ? 'chosen by clients' : keyTypeLabels[chosen])],
};

const lines = (entries: readonly string[], none: string): string => entries.join('\n') || none;

/** CSR contents requested from clients. */
export const requestedSettings = settingTable<EstRequestedAttributes, EstRequestedAttributes>()({
  keyType,
  subject: {
    ...list({
      label: 'Requested subject',
      help: 'In order, such as O=Example or CN. Omit the value to let clients supply it.',
      splitChars: [],
      fact: ['Subject', (entries) => lines(entries, 'chosen by clients')],
    }),
    read: (stored: EstRequestedAttributes['subject'] = []) => stored.map(writeSubject),
    send: (entries: readonly string[]) => entries.map(readSubject),
  },
  dnsNames: list({ label: 'DNS names', help: 'Requested DNS SANs' }),
  ipAddress: flag({ label: 'Request an IP address SAN', help: 'Clients supply their own address', initial: false }),
  extensionValues: {
    ...list({
      label: 'Extensions with fixed values',
      help: 'OID and Base64-encoded DER: 2.5.29.15=AwIFoA==, or critical:2.5.29.15=AwIFoA==',
    }),
    read: (stored: EstRequestedAttributes['extensionValues'] = []) => stored.map(writeExtension),
    send: (entries: readonly string[]) => entries.map(readExtension),
  },
  extensions: list({ label: 'Extensions supplied by clients', help: 'OIDs in dotted-decimal notation' }),
  attributes: list({
    label: 'Attributes',
    help: 'OIDs in dotted-decimal notation',
    fact: ['Attributes', (oids) => lines(oids, 'none requested')],
  }),
  template: flag({
    label: 'Include CSR template (RFC 9908)',
    help: 'Only the template contains the subject values; older clients ignore it',
    initial: false,
    fact: ['CSR template (RFC 9908)', 'included', 'not included'],
  }),
});

export type EstValues = ValuesOf<typeof estSettings> & ValuesOf<typeof requestedSettings>;
