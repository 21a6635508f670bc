// SCEP profile settings.
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
  enableIntune ? `validates all requests (application ${intuneApplicationId}, tenant ${intuneTenant})` : 'not used';

export function ScepSettings({ profile }: { readonly profile: ScepProfile }) {
  const { caCertificate, renewThreshold = 0 } = profile;
  return (
    <CommonSettings protocol={scep} profile={profile}>
      <Panel title="Challenges">
        <Facts
          facts={[
            { name: 'Microsoft Intune', value: intuneOf(profile) },
            {
              name: 'One-time challenge passwords',
              value: kept(profile.oneTimeChallenges, 'accepted', 'not accepted'),
            },
            {
              name: 'Challenge password',
              value: kept(profile.hasChallengePassword, 'set (never shown)', 'none'),
            },
            { name: 'Challenge validation URL', value: profile.challengeWebhookUrl ?? 'none' },
            {
              name: 'Manual approval',
              value: kept(profile.requireManualApproval, 'required', 'not required'),
            },
            {
              name: 'Renewal',
              value:
                renewThreshold === 0
                  ? 'in the second half of the validity period'
                  : `from ${renewThreshold} days before expiry`,
            },
            { name: 'Names for clients with a certificate', value: namesText(profile.bindNames) },
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
            {
              name: 'Weak algorithms',
              value: kept(profile.allowOldClients, 'allowed: DES, 3DES and SHA-1', 'not allowed'),
            },
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
