// The settings of a profile.
import { Anchor, Stack } from '@mantine/core';
import { describeNamePolicy } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatSeconds } from '../../../format/durations.ts';
import { paths } from '../../../kit/paths.ts';
import { AttributeFacts } from '../../../ui/attributes/attribute-facts.tsx';
import { Facts, type Fact } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import type { Profile } from '../shapes.ts';
import { CustomValues } from '../../custom-attributes/values-panel.tsx';
import { ACME_KEY } from '../../../queries/acme.ts';
import { useGroups, useUsers } from '../../../queries/people.ts';
import { valuesOf, type ProfileValues } from './profile-values.ts';

export function SettingsView({ profile }: { readonly profile: Profile }) {
  const values = valuesOf(profile);
  const users = useQuery(useUsers());
  const groups = useQuery(useGroups());
  const ownerName = users.data?.find(({ uuid }) => uuid === values.ownerUuid)?.username ?? values.ownerUuid;
  const groupNames = values.groupUuids.map((uuid) => groups.data?.find((each) => each.uuid === uuid)?.name ?? uuid);
  return (
    <Stack gap="lg">
      <Panel title="Issuing">
        <Facts
          facts={[
            {
              name: 'RA profile',
              value: profile.raProfile ? (
                <TextLink to={paths.raProfiles.one(profile.raProfile.uuid)}>{profile.raProfile.name}</TextLink>
              ) : (
                'none; no certificates are issued'
              ),
            },
            {
              name: 'Client-selectable profiles',
              value: values.offeredProfiles.map(({ name }) => name).join(', ') || 'none',
            },
            { name: 'Certificate owner', value: ownerName || 'none' },
            { name: 'Certificate groups', value: groupNames.join(', ') || 'none' },
            { name: 'Identifier', value: profile.uuid, code: true, copy: profile.uuid },
          ]}
        />
      </Panel>
      <AttributePanel title="Authority settings for issuing" values={profile.issueCertificateAttributes} />
      <AttributePanel title="Authority settings for revoking" values={profile.revokeCertificateAttributes} />
      <AttributePanel
        title="Certificate custom attributes"
        values={profile.certificateAssociations?.customAttributes}
      />
      <CustomValues resource="acmeProfiles" uuid={profile.uuid} values={profile.customAttributes} refresh={ACME_KEY} />
      <Panel title="Account registration">
        <Facts facts={accountFacts(values)} />
      </Panel>
      <Panel title="Names">
        <Facts
          facts={[{ name: 'Allowed', value: describeNamePolicy(values.namePolicy) ?? 'all names and IP addresses' }]}
        />
      </Panel>
      <Panel title="Domain validation">
        <Facts facts={validationFacts(values)} />
      </Panel>
      <Panel title="Time limits">
        <Facts
          facts={[
            {
              name: 'Orders',
              value: `expire after ${formatSeconds(values.validity)} unless the client completes them`,
            },
            {
              name: 'Polling',
              value: `every ${formatSeconds(values.retryInterval)} while a certificate is being issued`,
            },
          ]}
        />
      </Panel>
    </Stack>
  );
}

function AttributePanel(props: { readonly title: string; readonly values: Profile['issueCertificateAttributes'] }) {
  const { title, values = [] } = props;
  return values.length === 0 ? null : (
    <Panel title={title}>
      <AttributeFacts values={values} />
    </Panel>
  );
}

const link = (url: string): React.ReactNode => (
  <Anchor href={url} inherit rel="noreferrer" target="_blank">
    {url}
  </Anchor>
);

const accountFacts = (values: ProfileValues): readonly (Fact | undefined)[] => [
  {
    name: 'External account key',
    value: values.externalAccountRequired
      ? 'required'
      : 'not required; any client that can reach the directory can register',
  },
  { name: 'Contact address', value: values.requireContact ? 'required' : 'optional' },
  {
    name: 'Terms of service',
    value: values.requireTermsOfService ? 'agreement required' : 'no agreement required',
  },
  values.termsOfServiceUrl === '' ? undefined : { name: 'Terms', value: link(values.termsOfServiceUrl) },
  values.websiteUrl === '' ? undefined : { name: 'Website', value: link(values.websiteUrl) },
  values.termsOfServiceChangeDisable ? { name: 'Terms change', value: 'all clients are suspended' } : undefined,
  values.termsOfServiceChangeUrl === ''
    ? undefined
    : { name: 'New terms', value: link(values.termsOfServiceChangeUrl) },
];

const validationFacts = (values: ProfileValues): readonly Fact[] => [
  {
    name: 'DNS resolver',
    value:
      values.dnsResolverIp === ''
        ? 'the system resolver'
        : `${values.dnsResolverIp}${values.dnsResolverPort === '53' ? '' : `, port ${values.dnsResolverPort}`}`,
  },
  {
    name: 'Challenges',
    value: ['http-01', 'dns-01', 'tls-alpn-01', ...values.additionalChallenges].join(', '),
  },
  {
    name: 'Validation reuse',
    value:
      values.authorizationReuse === 0
        ? 'none; names are validated for every order'
        : `for ${formatSeconds(values.authorizationReuse)}`,
  },
  {
    name: 'CAA records',
    value:
      values.caa === 'default'
        ? 'checked for public names if the public URL has a public host'
        : values.caaIdentities.length === 0
          ? 'not checked'
          : `if present, must permit ${values.caaIdentities.join(' or ')}`,
  },
  {
    name: 'Loopback addresses',
    value: values.allowLoopbackValidation
      ? 'allowed; names can point to the platform’s machine'
      : 'rejected, unless the platform itself listens on loopback only',
  },
];
