// Settings of an EST profile.
import type { EstRequestedAttributes } from '@signetry/contract';
import type { EstProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { est } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocol-settings/common-settings.tsx';
import { estSettings, requestedSettings } from './setting-table.tsx';

const altNamesText = ({ dnsNames = [], ipAddress }: EstRequestedAttributes): string =>
  [...dnsNames, ...(ipAddress ? ['an IP address'] : [])].join('\n') || 'chosen by clients';

const extensionsText = ({ extensions = [], extensionValues = [] }: EstRequestedAttributes): string =>
  [
    ...extensionValues.map(({ oid, critical }) => `${oid}, ${critical ? 'critical, ' : ''}with a value`),
    ...extensions.map((oid) => `${oid}, value provided by clients`),
  ].join('\n') || 'none requested';

export function EstSettings({ profile }: { readonly profile: EstProfile }) {
  const { requestedAttributes: requested } = profile;
  return (
    <CommonSettings protocol={est} profile={profile}>
      <Panel title="Clients">
        <Facts
          facts={estSettings.factsOf(profile, [
            'users',
            'oneTimePasswords',
            'ownCertificates',
            'trustedCertificateUuids',
            'bindNames',
            'manualApproval',
            'serverKeys',
          ])}
        />
      </Panel>
      <Panel title="Renewal">
        <Facts facts={estSettings.factsOf(profile, ['passwordsRenew', 'renewalsKeepNames'])} />
      </Panel>
      <Panel title="Requests">
        <Facts
          facts={[
            ...requestedSettings.factsOf(requested, ['keyType', 'subject']),
            { name: 'Subject alternative names', value: altNamesText(requested) },
            { name: 'Extensions', value: extensionsText(requested) },
            ...requestedSettings.factsOf(requested, ['attributes', 'template']),
            ...estSettings.factsOf(profile, ['requireLinking', 'retryAfter', 'isDefault']),
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
