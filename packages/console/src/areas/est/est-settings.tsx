// Settings of an EST profile.
import type { EstRequestedAttributes } from '@signetry/contract';
import { formatSeconds } from '../../format/durations.ts';
import type { EstProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { est } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocols/settings/common-settings.tsx';
import { namesText } from '../protocols/settings/names-choice.tsx';
import { subjectText } from './requested-values.ts';
import { wordsOfKeyType } from './words.ts';

const said = (is: boolean, yes: string, no: string): string => (is ? yes : no);

const altNamesText = ({ dnsNames = [], ipAddress }: EstRequestedAttributes): string =>
  [...dnsNames, ...(ipAddress ? ['an IP address'] : [])].join('\n') || 'chosen by clients';

const extensionsText = ({ extensions = [], extensionValues = [] }: EstRequestedAttributes): string =>
  [
    ...extensionValues.map(({ oid, critical }) => `${oid}, ${critical ? 'critical, ' : ''}with a value`),
    ...extensions.map((oid) => `${oid}, value provided by clients`),
  ].join('\n') || 'none requested';

export function EstSettings({ profile }: { readonly profile: EstProfile }) {
  const { users, trustedCertificateUuids, requestedAttributes: asked } = profile;
  return (
    <CommonSettings protocol={est} profile={profile}>
      <Panel title="Clients">
        <Facts
          facts={[
            { name: 'Users', value: users.map(({ username }) => username).join('\n') || 'none' },
            { name: 'One-time passwords', value: said(profile.oneTimePasswords, 'accepted', 'not accepted') },
            { name: 'Certificates from this CA', value: said(profile.ownCertificates, 'accepted', 'not accepted') },
            {
              name: 'Other trusted authorities',
              value: trustedCertificateUuids.length === 0 ? 'none' : trustedCertificateUuids.join('\n'),
            },
            { name: 'Names for clients with a certificate', value: namesText(profile.bindNames) },
            { name: 'Manual approval', value: said(profile.manualApproval, 'required', 'not required') },
            {
              name: 'Key generation',
              value: said(profile.serverKeys, 'by clients, or by the server on request', 'by clients'),
            },
          ]}
        />
      </Panel>
      <Panel title="Renewal">
        <Facts
          facts={[
            { name: 'With a password', value: said(profile.passwordsRenew, 'allowed', 'not allowed') },
            { name: 'Subject and SANs', value: said(profile.renewalsKeepNames, 'must stay the same', 'can change') },
          ]}
        />
      </Panel>
      <Panel title="Requests">
        <Facts
          facts={[
            { name: 'Key type', value: asked.keyType ? wordsOfKeyType[asked.keyType] : 'chosen by clients' },
            { name: 'Subject', value: asked.subject?.map(subjectText).join('\n') || 'chosen by clients' },
            { name: 'Subject alternative names', value: altNamesText(asked) },
            { name: 'Extensions', value: extensionsText(asked) },
            { name: 'Attributes', value: asked.attributes?.join('\n') || 'none requested' },
            { name: 'CSR template (RFC 9908)', value: said(asked.template === true, 'included', 'not included') },
            { name: 'Channel binding', value: said(profile.requireLinking, 'required', 'not required') },
            { name: 'Clients retry', value: `after ${formatSeconds(profile.retryAfter)}` },
            { name: 'Default profile (no label)', value: said(profile.isDefault, 'yes', 'no') },
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
