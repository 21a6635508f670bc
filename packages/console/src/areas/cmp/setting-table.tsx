// Settings of a CMP profile: form fields, values and facts.
import { CmpProfileVariant, ProtectionMethod, type CmpProfileRequestDto } from '@signetry/contract';
import { formatCount } from '../../format/names.ts';
import type { CmpProfile } from '../../queries/protocols.ts';
import {
  bindNames,
  choice,
  count,
  flag,
  keptSecret,
  Lines,
  settingTable,
  type SettingField,
  type ValuesOf,
} from '../protocol-settings/setting-fields.tsx';
import { encodedFrom, pemOf } from './certificate-list.ts';

const variants = CmpProfileVariant.options.map((value) => ({ value, label: CmpProfileVariant.labels[value] }));
const methods = ProtectionMethod.options.map((value) => ({ value, label: ProtectionMethod.labels[value] }));

const protection = (label: string, help: string): SettingField<ProtectionMethod> =>
  choice<ProtectionMethod>({
    label,
    help,
    options: methods,
    initial: 'sharedSecret',
    fact: [label, (method) => ProtectionMethod.labels[method]],
  });

/** CA certificates, entered as PEM and sent as Base64-encoded DER. */
const certificates = (label: string, help: string): SettingField<string, string[], readonly string[]> => ({
  initial: '',
  read: (stored = []) => pemOf(stored),
  send: encodedFrom,
  Field: (props) => <Lines label={label} help={help} {...props} />,
  fact: [label, (pem) => countText(encodedFrom(pem).length)],
});

function countText(certificates: number): string {
  if (certificates === 0) return 'none';
  return certificates === 1 ? '1 certificate' : `${certificates} certificates`;
}

export const cmpSettings = settingTable<CmpProfileRequestDto, CmpProfile>()({
  variant: choice<CmpProfileVariant>({
    label: 'Version',
    options: variants,
    initial: 'v2',
    fact: ['Version', (variant) => CmpProfileVariant.labels[variant]],
  }),
  requestProtectionMethod: protection('Request protection', 'Used by clients'),
  responseProtectionMethod: protection('Response protection', 'Used by the platform'),
  acceptBothProtections: flag({
    label: 'Accept secret and signatures',
    help: 'Devices enroll with the shared secret and sign later requests at the same URL',
    initial: false,
    fact: ['Secret and signatures', 'both accepted', 'only the request protection above'],
  }),
  sharedSecret: keptSecret,
  signingCertificateUuid: {
    initial: '',
    read: (_: unknown, profile: CmpProfile) => profile.signingCertificate?.uuid ?? '',
    send: (uuid: string) => uuid || undefined,
  },
  oneTimeSecrets: flag({
    label: 'Accept one-time secrets',
    help: 'Created under the RA profile, each valid for one request',
    initial: true,
    fact: ['One-time secrets', 'accepted', 'not accepted'],
  }),
  maxMacIterations: count({
    label: 'Maximum MAC iterations',
    help: 'Requests above this limit are rejected, because the MAC must be computed before the sender is known',
    min: 1_000,
    max: 2_000_000,
    initial: 100_000,
    fact: ['Maximum MAC iterations', formatCount],
  }),
  strictMessages: flag({
    label: 'Enforce RFC 9483',
    help: 'Checks messageTime, senderKID, sender, recipNonce and certReqId. Turn off for clients that omit them',
    initial: true,
    fact: ['RFC 9483', 'enforced', 'not enforced'],
  }),
  messageTimeTolerance: count({
    label: 'Allowed clock skew (seconds)',
    help: 'Applies to messageTime if RFC 9483 is enforced; 0 accepts every time. Default: 300',
    min: 0,
    max: 86_400,
    initial: 300,
    fact: ['Allowed clock skew (seconds)', formatCount],
  }),
  implicitConfirmation: flag({
    label: 'Allow implicit confirmation',
    help: 'Clients that request it do not need to confirm their certificate',
    initial: true,
    fact: ['Confirmation', 'implicit if requested by the client', 'always required'],
  }),
  trustedAuthorities: certificates(
    'Trusted authorities',
    'Additional CAs whose certificates may sign requests, for example device manufacturer CAs',
  ),
  registrationAuthorities: certificates('Registration authorities', 'May assert proof of possession and revoke'),
  bindNames,
  requireManualApproval: flag({
    label: 'Require manual approval',
    help: 'An operator approves or rejects each request; clients poll in the meantime',
    initial: false,
    fact: ['Manual approval', 'required', 'not required'],
  }),
  centralKeys: flag({
    label: 'Server-side key generation',
    help: 'For requests without a key; the key is sent encrypted along with the certificate and is not stored',
    initial: false,
    fact: ['Key generation', 'by the platform for requests without a key', 'by clients'],
  }),
});

export type CmpValues = ValuesOf<typeof cmpSettings>;
