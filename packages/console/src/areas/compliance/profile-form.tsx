// The fields of a compliance profile, new or existing: its rules, and custom attributes.
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
import { Reading } from '../../kit/reading.tsx';
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
      providerRules: chosenIn(profile),
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
      <FormSection title="Your rules" description="Made here, of conditions.">
        <OwnRulesField chosen={internalRules} onChange={(next) => form.set('internalRules', [...next])} />
      </FormSection>
      <FormSection
        title="Rules of connectors"
        description="A group brings in all of its rules, also those that it will have later."
      >
        <RuleChooser chosen={providerRules} onChange={(next) => form.set('providerRules', next)} />
      </FormSection>
      <CustomSection custom={form.further} />
    </ObjectForm>
  );
}

const chosenIn = (profile: ProfileDetail | undefined): readonly ChosenRule[] =>
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

/** A value as it is sent: what only describes it is left out. */
const valueOf = ({ uuid, name, contentType, content }: NonNullable<ProfileDetail['customAttributes']>[number]) =>
  ({ uuid, name, contentType, content }) as RequestAttributeDto; // read and sent in the same form

interface Content {
  readonly description: string;
  readonly internalRules: readonly string[];
  readonly providerRules: readonly ChosenRule[];
}

const bodyOf = ({ description, internalRules, providerRules }: Content) => ({
  description,
  internalRules: [...internalRules],
  providerRules: [...Map.groupBy(providerRules, keyOfSource).values()].flatMap(ofSource),
});

const keyOfSource = ({ connectorUuid, kind }: OfferedRule): string => `${connectorUuid} ${kind}`;

function ofSource(chosen: readonly ChosenRule[]): ProviderComplianceRulesRequestDto[] {
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

/** The choice among the rules made here. */
interface OwnRulesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function OwnRulesField({ chosen, onChange }: OwnRulesFieldProps) {
  return (
    <Reading of={useQuery(ownRuleListQuery)} what="your rules" empty={<NoRules />}>
      {(rules) => (
        <MultiSelect
          label="Your rules"
          placeholder={chosen.length === 0 ? 'Choose' : ''}
          searchable
          clearable
          nothingFoundMessage="No such rule"
          data={rules.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={[...chosen]}
          onChange={onChange}
        />
      )}
    </Reading>
  );
}

function NoRules() {
  return (
    <Text size="sm" c="dimmed">
      There are none yet.{' '}
      <TextLink to={paths.compliance.rules.list} inSentence>
        Make one
      </TextLink>{' '}
      whenever you need it.
    </Text>
  );
}
