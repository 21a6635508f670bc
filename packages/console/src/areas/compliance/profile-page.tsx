// Page for a single compliance profile: its rules and whether they are available, and its assignments.
import { Stack, Text } from '@mantine/core';
import type { ComplianceRuleDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { complianceProfileQuery, type ProfileDetail } from '../../queries/compliance.ts';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { stateOf } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { Associations } from './associations.tsx';
import { isSubject, describeConditions } from './conditions.ts';
import { RuleText } from '../compliance-results/rule-text.tsx';

export function ComplianceProfilePage() {
  return (
    <ObjectPage
      query={useQuery(complianceProfileQuery(useUuid()))}
      what="the compliance profile"
      parent={{ to: paths.compliance.profiles.list, label: 'Compliance profiles' }}
      description={({ description }) => description}
      actions={(profile) => <ProfileActions profile={profile} />}
      main={(profile) => <Rules profile={profile} />}
      side={({ uuid }) => (
        <>
          <Associations uuid={uuid} />
          <Panel title="Details">
            <Facts facts={[identifierFact(uuid)]} />
          </Panel>
        </>
      )}
    />
  );
}

interface ProfileProps {
  readonly profile: ProfileDetail;
}

function ProfileActions({ profile: { uuid, name } }: ProfileProps) {
  return (
    <Actions
      actions={[
        {
          label: 'Check now',
          isPrimary: true,
          needs: ['complianceProfiles', 'checkCompliance', uuid],
          run: () => api.compliance.checkComplianceV2({ body: [uuid], query: {} }),
          done: 'Check started for all objects that the profile applies to.',
          refresh: ['complianceRuns'],
        },
        editAction(paths.compliance.profiles.edit(uuid), ['complianceProfiles', 'update', uuid]),
        removeAction({
          name,
          needs: ['complianceProfiles', 'delete', uuid],
          remove: () => api.complianceProfiles.deleteComplianceProfileV2({ params: { uuid } }),
          consequence:
            'A profile that is still assigned cannot be removed. Existing results are kept until the next check. This cannot be undone.',
          list: paths.compliance.profiles.list,
          queryKey: complianceProfileQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

const AvailabilityState = stateOf<ComplianceRuleDto['availabilityStatus']>({
  available: ['good', 'Available'],
  not_available: ['bad', 'Not available'],
  updated: ['warn', 'Changed'],
});

function Rules({ profile }: ProfileProps) {
  const { uuid, internalRules, providerRules, customAttributes } = profile;
  return (
    <>
      <Panel title="Your rules">
        {internalRules.length === 0 ? (
          <Text size="sm" c="dimmed">
            This profile uses none of your rules.
          </Text>
        ) : (
          <Stack gap="md">
            {internalRules.map(({ uuid: rule, name, resource, conditionItems = [] }) => (
              <div key={rule}>
                <TextLink to={paths.compliance.rules.one(rule)}>{name}</TextLink>
                <Text size="sm">
                  {isSubject(resource) && describeConditions(resource, conditionItems).join(', and ')}
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </Panel>
      {providerRules.length === 0 && (
        <Panel title="Connector rules">
          <Empty title="No connector rules">Edit the profile to choose groups or individual rules.</Empty>
        </Panel>
      )}
      {providerRules.map(({ connectorUuid, connectorName, kind, groups, rules }) => (
        <Panel key={`${connectorUuid} ${kind}`} title={`Rules from ${connectorName}`}>
          <Stack gap="md">
            {[...groups, ...rules].map(
              ({ uuid: rule, name, description, availabilityStatus, updatedReason }, place) => (
                <div key={rule}>
                  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                    {place < groups.length && ' (group)'}{' '}
                    {availabilityStatus !== 'available' && <AvailabilityState of={availabilityStatus} />}
                  </Text>
                  {updatedReason !== undefined && <Text size="sm">{updatedReason}</Text>}
                  <Text size="sm" component="div">
                    <RuleText description={description} />
                  </Text>
                </div>
              ),
            )}
          </Stack>
        </Panel>
      ))}
      <CustomValues
        resource="complianceProfiles"
        uuid={uuid}
        values={customAttributes}
        refresh={['complianceProfiles']}
      />
    </>
  );
}
