// Settings of a CMP profile.
import { CmpProfileVariant, ProtectionMethod } from '@signetry/contract';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import type { CmpProfile } from '../../queries/protocols.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { cmp } from '../protocols/protocol.ts';
import { CommonSettings } from '../protocols/settings/common-settings.tsx';
import { namesText } from '../protocols/settings/names-choice.tsx';

const count = (certificates: readonly string[] = []): string =>
  certificates.length === 0
    ? 'none'
    : `${certificates.length} ${certificates.length === 1 ? 'certificate' : 'certificates'}`;

export function CmpSettings({ profile }: { readonly profile: CmpProfile }) {
  const { signingCertificate } = profile;
  return (
    <CommonSettings protocol={cmp} profile={profile}>
      <Panel title="Protection">
        <Facts
          facts={[
            { name: 'Version', value: CmpProfileVariant.labels[profile.variant] },
            { name: 'Request protection', value: ProtectionMethod.labels[profile.requestProtectionMethod] },
            { name: 'Response protection', value: ProtectionMethod.labels[profile.responseProtectionMethod] },
            {
              name: 'Response signing certificate',
              value: signingCertificate && (
                <TextLink to={paths.certificates.one(signingCertificate.uuid)}>
                  {signingCertificate.commonName}
                </TextLink>
              ),
            },
            { name: 'One-time secrets', value: profile.oneTimeSecrets === false ? 'not accepted' : 'accepted' },
            {
              name: 'Confirmation',
              value: profile.implicitConfirmation === false ? 'always required' : 'implicit if requested by the client',
            },
            { name: 'Manual approval', value: profile.requireManualApproval ? 'required' : 'not required' },
            {
              name: 'Key generation',
              value: profile.centralKeys ? 'by the platform for requests without a key' : 'by clients',
            },
            { name: 'Trusted authorities', value: count(profile.trustedAuthorities) },
            { name: 'Registration authorities', value: count(profile.registrationAuthorities) },
            { name: 'Maximum MAC iterations', value: formatCount(profile.maxMacIterations ?? 0) },
            { name: 'Names for clients with a certificate', value: namesText(profile.bindNames) },
          ]}
        />
      </Panel>
    </CommonSettings>
  );
}
