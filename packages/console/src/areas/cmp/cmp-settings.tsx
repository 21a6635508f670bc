// Settings of a CMP profile.
import { paths } from '../../kit/paths.ts';
import type { CmpProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { cmp } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocol-settings/common-settings.tsx';
import { cmpSettings } from './setting-table.tsx';

export function CmpSettings({ profile }: { readonly profile: CmpProfile }) {
  const { signingCertificate } = profile;
  return (
    <CommonSettings protocol={cmp} profile={profile}>
      <Panel title="Protection">
        <Facts
          facts={[
            ...cmpSettings.factsOf(profile, [
              'variant',
              'requestProtectionMethod',
              'acceptBothProtections',
              'responseProtectionMethod',
            ]),
            {
              name: 'Response signing certificate',
              value: signingCertificate && (
                <TextLink to={paths.certificates.one(signingCertificate.uuid)}>
                  {signingCertificate.commonName}
                </TextLink>
              ),
            },
            ...cmpSettings.factsOf(profile, [
              'oneTimeSecrets',
              'implicitConfirmation',
              'requireManualApproval',
              'centralKeys',
              'trustedAuthorities',
              'registrationAuthorities',
              'maxMacIterations',
              'bindNames',
              'strictMessages',
              'messageTimeTolerance',
            ]),
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
