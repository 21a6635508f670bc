// The settings of an ACME profile.
import { Facts, type Fact } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CommonSettings } from '../../protocol-settings/common-settings.tsx';
import { acme } from '../protocol.ts';
import type { Profile } from '../shapes.ts';
import { acmeSettings, acmeTermsChange } from './setting-table.tsx';

export function SettingsView({ profile }: { readonly profile: Profile }) {
  return (
    <CommonSettings protocol={acme} profile={profile} issuingFacts={acmeSettings.factsOf(profile, ['offeredProfiles'])}>
      <Panel title="Account registration">
        <Facts
          facts={[
            ...acmeSettings.factsOf(profile, [
              'externalAccountRequired',
              'requireContact',
              'requireTermsOfService',
              'termsOfServiceUrl',
              'websiteUrl',
            ]),
            ...acmeTermsChange.factsOf(profile, ['termsOfServiceChangeDisable', 'termsOfServiceChangeUrl']),
          ]}
        />
      </Panel>
      <Panel title="Names">
        <Facts facts={acmeSettings.factsOf(profile, ['namePolicy'])} />
      </Panel>
      <Panel title="Domain validation">
        <Facts
          facts={[
            resolverFact(profile),
            ...acmeSettings.factsOf(profile, [
              'additionalChallenges',
              'authorizationReuse',
              'externalAccountValidates',
            ]),
            { name: 'CAA records', value: caaText(profile.caaIdentities) },
            ...acmeSettings.factsOf(profile, ['allowLoopbackValidation']),
          ]}
        />
      </Panel>
      <Panel title="Time limits">
        <Facts facts={acmeSettings.factsOf(profile, ['validity', 'retryInterval'])} />
      </Panel>
    </CommonSettings>
  );
}

function resolverFact({ dnsResolverIp = '', dnsResolverPort = '53' }: Profile): Fact {
  const port = dnsResolverPort === '53' ? '' : `, port ${dnsResolverPort}`;
  return { name: 'DNS resolver', value: dnsResolverIp === '' ? 'the system resolver' : `${dnsResolverIp}${port}` };
}

function caaText(identities: Profile['caaIdentities']): string {
  if (identities === undefined) return 'checked for public names if the public URL has a public host';
  return identities.length === 0 ? 'not checked' : `if present, must permit ${identities.join(' or ')}`;
}
