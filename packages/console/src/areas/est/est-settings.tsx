// The settings of an EST profile.
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
  [...dnsNames, ...(ipAddress ? ['an IP address'] : [])].join('\n') || 'clients choose';

const extensionsText = ({ extensions = [], extensionValues = [] }: EstRequestedAttributes): string =>
  [
    ...extensionValues.map(({ oid, critical }) => `${oid}, ${critical ? 'critical, ' : ''}with a value`),
    ...extensions.map((oid) => `${oid}, filled in by clients`),
  ].join('\n') || 'none asked for';

export function EstSettings({ profile }: { readonly profile: EstProfile }) {
  const { users, trustedCertificateUuids, requestedAttributes: asked } = profile;
  return (
    <CommonSettings protocol={est} profile={profile}>
      <Panel title="Clients">
        <Facts
          facts={[
            { name: 'Users', value: users.map(({ username }) => username).join('\n') || 'none' },
            { name: 'One-time passwords', value: said(profile.oneTimePasswords, 'taken', 'not taken') },
            { name: 'Certificates of the authority', value: said(profile.ownCertificates, 'taken', 'not taken') },
            {
              name: 'Other trusted authorities',
              value: trustedCertificateUuids.length === 0 ? 'none' : trustedCertificateUuids.join('\n'),
            },
            { name: 'Names for clients with a certificate', value: namesText(profile.bindNames) },
            { name: 'Requests', value: said(profile.manualApproval, 'wait for an operator', 'are issued at once') },
            {
              name: 'Keys',
              value: said(profile.serverKeys, 'made by clients, or here for who asks', 'made by clients'),
            },
          ]}
        />
      </Panel>
      <Panel title="Renewal">
        <Facts
          facts={[
            { name: 'With a password', value: said(profile.passwordsRenew, 'allowed', 'not enough') },
            { name: 'Names', value: said(profile.renewalsKeepNames, 'stay the same', 'may change') },
          ]}
        />
      </Panel>
      <Panel title="Requests">
        <Facts
          facts={[
            { name: 'Kind of key', value: asked.keyType ? wordsOfKeyType[asked.keyType] : 'clients choose' },
            { name: 'Subject', value: asked.subject?.map(subjectText).join('\n') || 'clients choose' },
            { name: 'Alternative names', value: altNamesText(asked) },
            { name: 'Extensions', value: extensionsText(asked) },
            { name: 'Attributes', value: asked.attributes?.join('\n') || 'none asked for' },
            { name: 'Template', value: said(asked.template === true, 'told, too', 'not told') },
            { name: 'Linked to the connection', value: said(profile.requireLinking, 'required', 'not required') },
            { name: 'Asking again', value: `after ${formatSeconds(profile.retryAfter)}` },
            { name: 'Without a label', value: said(profile.isDefault, 'served, too', 'not served') },
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
