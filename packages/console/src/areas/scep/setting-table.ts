// Settings of a SCEP profile: form fields, values and facts.
import type { ScepProfileRequestDto } from '@signetry/contract';
import type { ScepProfile } from '../../queries/protocols.ts';
import {
  bindNames,
  count,
  flag,
  keptSecret,
  settingTable,
  text,
  url,
  type SettingField,
  type ValuesOf,
} from '../protocol-settings/setting-fields.tsx';

/** Days before expiry. 0 means the second half of the validity period. */
const renewalThreshold = {
  ...count({
    label: 'Renewal window (days before expiry)',
    help: '0 = second half of the validity period',
    min: 0,
    max: 3_650,
    initial: 0,
    fact: [
      'Renewal',
      (days) => (days === 0 ? 'in the second half of the validity period' : `from ${days} days before expiry`),
    ],
  }),
  // Responses name this setting differently.
  read: (_, profile) => profile.renewThreshold ?? 0,
} satisfies SettingField<number, number, unknown, ScepProfile>;

export const scepSettings = settingTable<ScepProfileRequestDto, ScepProfile>()({
  caCertificateUuid: {
    initial: '',
    read: (_: unknown, profile: ScepProfile) => profile.caCertificate?.uuid ?? '',
    send: (uuid: string) => uuid,
  },
  includeCaCertificate: flag({ label: 'Include the CA certificate', initial: true }),
  includeCaCertificateChain: flag({ label: 'Include the CA chain', initial: true }),
  allowOldClients: flag({
    label: 'Allow weak algorithms',
    help: 'DES, 3DES and SHA-1. Enable only for devices that support nothing stronger',
    initial: false,
    fact: ['Weak algorithms', 'allowed: DES, 3DES and SHA-1', 'not allowed'],
  }),
  oneTimeChallenges: flag({
    label: 'Accept one-time challenge passwords',
    help: 'Created under the RA profile; each is valid for one request',
    // New profiles require a challenge password.
    initial: true,
    absent: false,
    fact: ['One-time challenge passwords', 'accepted', 'not accepted'],
  }),
  challengePassword: keptSecret,
  challengeWebhookUrl: url({
    label: 'Challenge validation URL',
    help: 'Your server that checks challenge passwords. Leave empty for none',
    fact: ['Challenge validation URL', (address) => address || 'none'],
  }),
  requireManualApproval: flag({
    label: 'Require manual approval',
    help: 'An operator approves or rejects each request',
    initial: false,
    fact: ['Manual approval', 'required', 'not required'],
  }),
  enableIntune: flag({
    label: 'Validate requests with Intune',
    help: 'Applies to all requests, including renewals. No other challenge passwords are accepted',
    initial: false,
  }),
  intuneTenant: text({ label: 'Tenant', help: 'Tenant ID or domain name', placeholder: 'contoso.onmicrosoft.com' }),
  intuneApplicationId: text({
    label: 'Application ID',
    help: 'Application registered for this platform in the tenant',
  }),
  intuneApplicationKey: keptSecret,
  renewalThreshold,
  bindNames,
});

export type ScepValues = ValuesOf<typeof scepSettings>;
