// The rules of a profile, in words.
import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatSeconds } from '../../../format/durations.ts';
import { paths } from '../../../paths.ts';
import { AttributeFacts } from '../../../ui/attributes/attribute-facts.tsx';
import { Facts, type Fact } from '../../../ui/facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import type { Profile } from '../shapes.ts';
import { useGroups, useUsers } from './people.ts';
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
                <TextLink to={paths.raProfile(profile.raProfile.uuid)}>{profile.raProfile.name}</TextLink>
              ) : (
                'none: nothing is issued'
              ),
            },
            { name: 'Owner of certificates', value: ownerName || 'nobody' },
            { name: 'Groups of certificates', value: groupNames.join(', ') || 'none' },
            { name: 'Identifier', value: profile.uuid, code: true, copy: profile.uuid },
          ]}
        />
      </Panel>
      <AttributePanel title="Told to the authority when it issues" values={profile.issueCertificateAttributes} />
      <AttributePanel title="Told to the authority when it revokes" values={profile.revokeCertificateAttributes} />
      <Panel title="Who may make an account">
        <Facts facts={accountFacts(values)} />
      </Panel>
      <Panel title="How names are checked">
        <Facts facts={validationFacts(values)} />
      </Panel>
      <Panel title="Times">
        <Facts
          facts={[
            {
              name: 'Orders',
              value: `end ${formatSeconds(values.validity)} after they were placed, if the client has not finished them`,
            },
            {
              name: 'Waiting clients',
              value: `are told to ask again after ${formatSeconds(values.retryInterval)} while a certificate is being issued`,
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
      ? 'needed: only those whom you gave a key'
      : 'not needed: whoever reaches the directory',
  },
  { name: 'Contact address', value: values.requireContact ? 'must be given' : 'may be left out' },
  {
    name: 'Terms of service',
    value: values.requireTermsOfService ? 'clients must agree' : 'clients need not agree',
  },
  values.termsOfServiceUrl === '' ? undefined : { name: 'Terms', value: link(values.termsOfServiceUrl) },
  values.websiteUrl === '' ? undefined : { name: 'Website', value: link(values.websiteUrl) },
  values.termsOfServiceChangeDisable
    ? { name: 'Change of terms', value: 'Every client is held back until this is lifted.' }
    : undefined,
  values.termsOfServiceChangeUrl === ''
    ? undefined
    : { name: 'Changed terms', value: link(values.termsOfServiceChangeUrl) },
];

const validationFacts = (values: ProfileValues): readonly Fact[] => [
  {
    name: 'Name server',
    value:
      values.dnsResolverIp === ''
        ? 'that of the platform'
        : `${values.dnsResolverIp}${values.dnsResolverPort === '53' ? '' : `, port ${values.dnsResolverPort}`}`,
  },
  {
    name: 'A proof counts',
    value:
      values.authorizationReuse === 0
        ? 'for one order: every order proves its names anew'
        : `for ${formatSeconds(values.authorizationReuse)}: orders within that time need no new one`,
  },
  {
    name: 'CAA records',
    value:
      values.caaIdentities.length === 0
        ? 'are not looked at'
        : `must permit ${values.caaIdentities.join(' or ')} where a name has any`,
  },
  {
    name: 'Loopback addresses',
    value: values.allowLoopbackValidation
      ? 'may be checked: names may point at the platform’s own machine'
      : 'are refused, unless the whole platform listens on loopback only',
  },
];
