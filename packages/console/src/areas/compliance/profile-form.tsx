// Form for a new or existing compliance profile: its rules and custom attributes.
import type { ProviderComplianceRulesRequestDto, RequestAttributeDto } from '@signetry/contract';
import { MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { ownRuleListQuery, type OfferedRule, type ProfileDetail } from '../../queries/compliance.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CustomSection } from '../custom-attributes/custom-section.tsx';
import { useCustomFields } from '../custom-attributes/use-custom-fields.ts';
import { RuleChooser, type ChosenRule } from './rule-chooser.tsx';

export function ProfileForm({ profile }: { readonly profile?: ProfileDetail }) {
  const form = useObjectForm({
    what: 'compliance profile',
    paths: paths.compliance.profiles,
    object: profile,
    start: {
      name: profile?.name ?? '',
      description: profile?.description ?? '',
      internalRules: (profile?.internalRules ?? []).map(({ uuid }) => uuid),
      providerRules: chosenRulesOf(profile),
    },
    useFurther: () => useCustomFields('complianceProfiles', profile && (profile.customAttributes ?? [])),
    create: ({ name, ...values }, further) =>
      api.complianceProfiles.createComplianceProfileV2({
        body: { name: name.trim(), ...bodyOf(values), ...further.request() },
      }),
    update: (uuid, values, further) =>
      api.complianceProfiles.updateComplianceProfileV2({
        params: { uuid },
        body: { ...bodyOf(values), ...further.request() },
      }),
    refresh: [['complianceProfiles']],
  });
  const { internalRules, providerRules } = form.values;
  return (
    <ObjectForm form={form}>
      <FormSection title="Compliance profile">
        <NameField form={form} isNew={!profile} />
        <DescriptionField form={form} />
      </FormSection>
      <FormSection title="Your rules" description="Rules defined by conditions.">
        <OwnRulesField chosen={internalRules} onChange={(next) => form.set('internalRules', [...next])} />
      </FormSection>
      <FormSection
        title="Connector rules"
        description="A group includes all of its rules, including rules added to it later."
      >
        <RuleChooser chosen={providerRules} onChange={(next) => form.set('providerRules', next)} />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

const chosenRulesOf = (profile: ProfileDetail | undefined): readonly ChosenRule[] =>
  (profile?.providerRules ?? []).flatMap(({ connectorUuid, connectorName, kind, rules, groups }) => {
    const source = { connectorUuid, connectorName, kind };
    return [
      ...groups.map(({ uuid, name, description, resource }) => ({
        ...source,
        uuid,
        name,
        description,
        resource,
        isGroup: true,
      })),
      ...rules.map(({ uuid, name, description, resource, attributes = [] }) => ({
        ...source,
        uuid,
        name,
        description,
        resource,
        isGroup: false,
        attributes: attributes.map(valueOf),
      })),
    ];
  });

/** Returns a value for a request, without its descriptive members. */
const valueOf = ({ uuid, name, contentType, content }: NonNullable<ProfileDetail['customAttributes']>[number]) =>
  ({ uuid, name, contentType, content }) as RequestAttributeDto; // Requests and responses use the same form.

interface Content {
  readonly description: string;
  readonly internalRules: readonly string[];
  readonly providerRules: readonly ChosenRule[];
}

const bodyOf = ({ description, internalRules, providerRules }: Content) => ({
  description,
  internalRules: [...internalRules],
  providerRules: [...Map.groupBy(providerRules, keyOfSource).values()].flatMap(toRuleRequests),
});

const keyOfSource = ({ connectorUuid, kind }: OfferedRule): string => `${connectorUuid} ${kind}`;

function toRuleRequests(chosen: readonly ChosenRule[]): ProviderComplianceRulesRequestDto[] {
  const [first] = chosen;
  if (!first) return [];
  return [
    {
      connectorUuid: first.connectorUuid,
      kind: first.kind,
      groups: chosen.filter(({ isGroup }) => isGroup).map(({ uuid }) => uuid),
      rules: chosen
        .filter(({ isGroup }) => !isGroup)
        .map(({ uuid, attributes = [] }) => ({ uuid, ...(attributes.length > 0 && { attributes: [...attributes] }) })),
    },
  ];
}

/** Selector for internal rules. */
interface OwnRulesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function OwnRulesField({ chosen, onChange }: OwnRulesFieldProps) {
  return (
    <QueryView of={useQuery(ownRuleListQuery)} what="your rules" empty={<NoRules />}>
      {(rules) => (
        <MultiSelect
          label="Your rules"
          placeholder={chosen.length === 0 ? 'Choose' : ''}
          searchable
          clearable
          nothingFoundMessage="No matching rule"
          data={rules.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={[...chosen]}
          onChange={onChange}
        />
      )}
    </QueryView>
  );
}

function NoRules() {
  return (
    <Text size="sm" c="dimmed">
      No rules yet.{' '}
      <TextLink to={paths.compliance.rules.list} inSentence>
        Create one
      </TextLink>{' '}
      when you need it.
    </Text>
  );
}
