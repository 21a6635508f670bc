// SCEP profile settings.
import { paths } from '../../kit/paths.ts';
import type { ScepProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { scep } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocol-settings/common-settings.tsx';
import { scepSettings } from './setting-table.ts';

const describeIntune = ({ enableIntune, intuneTenant, intuneApplicationId }: ScepProfile): string =>
  enableIntune ? `validates all requests (application ${intuneApplicationId}, tenant ${intuneTenant})` : 'not used';

export function ScepSettings({ profile }: { readonly profile: ScepProfile }) {
  const { caCertificate } = profile;
  return (
    <CommonSettings protocol={scep} profile={profile}>
      <Panel title="Challenges">
        <Facts
          facts={[
            { name: 'Microsoft Intune', value: describeIntune(profile) },
            ...scepSettings.factsOf(profile, ['oneTimeChallenges']),
            {
              name: 'Challenge password',
              value: profile.hasChallengePassword ? 'set (never shown)' : 'none',
            },
            ...scepSettings.factsOf(profile, [
              'challengeWebhookUrl',
              'requireManualApproval',
              'renewalThreshold',
              'bindNames',
            ]),
          ]}
        />
      </Panel>
      <Panel title="Messages">
        <Facts
          facts={[
            {
              name: 'SCEP RA certificate',
              value: caCertificate ? (
                <TextLink to={paths.certificates.one(caCertificate.uuid)}>{caCertificate.commonName}</TextLink>
              ) : (
                'deleted; select a new one'
              ),
            },
            ...scepSettings.factsOf(profile, ['allowOldClients']),
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
