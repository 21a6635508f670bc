// The settings of a SCEP profile.
import { paths } from '../../kit/paths.ts';
import type { ScepProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { scep } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocols/settings/common-settings.tsx';
import { namesText } from '../protocols/settings/names-choice.tsx';

const kept = (is: boolean | undefined, yes: string, no: string): string => (is ? yes : no);

const intuneOf = ({ enableIntune, intuneTenant, intuneApplicationId }: ScepProfile): string =>
  enableIntune
    ? `validates every request, as the application ${intuneApplicationId} of the tenant ${intuneTenant}`
    : 'is not asked';

export function ScepSettings({ profile }: { readonly profile: ScepProfile }) {
  const { caCertificate, renewThreshold = 0 } = profile;
  return (
    <CommonSettings protocol={scep} profile={profile}>
      <Panel title="Challenges">
        <Facts
          facts={[
            { name: 'Microsoft Intune', value: intuneOf(profile) },
            { name: 'One-time challenges', value: kept(profile.oneTimeChallenges, 'taken', 'not taken') },
            {
              name: 'Challenge password',
              value: kept(profile.hasChallengePassword, 'set; it is never shown', 'none'),
            },
            { name: 'Asked about challenges', value: profile.challengeWebhookUrl ?? 'nobody' },
            {
              name: 'Requests',
              value: kept(profile.requireManualApproval, 'wait for an operator', 'are issued at once'),
            },
            {
              name: 'Renewal',
              value:
                renewThreshold === 0
                  ? 'in the second half of the validity'
                  : `from ${renewThreshold} days before the end`,
            },
            { name: 'Names for clients with a certificate', value: namesText(profile.bindNames) },
          ]}
        />
      </Panel>
      <Panel title="Messages">
        <Facts
          facts={[
            {
              name: 'Certificate of the service',
              value: caCertificate ? (
                <TextLink to={paths.certificates.one(caCertificate.uuid)}>{caCertificate.commonName}</TextLink>
              ) : (
                'deleted; choose another one'
              ),
            },
            {
              name: 'Old clients',
              value: kept(profile.allowOldClients, 'allowed: DES, triple DES and SHA-1', 'refused'),
            },
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
