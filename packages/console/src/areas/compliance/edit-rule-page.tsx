// A new or existing internal rule: the objects that it applies to, and its conditions.
import { Select, TextInput } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { DescriptionField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { removeAction } from '../../kit/common-actions.tsx';
import { ownRuleListQuery, type OwnRule } from '../../queries/compliance.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConditionsField } from './conditions-field.tsx';
import { conditionOf, filterOf, isSubject, subjectTexts, type Subject } from './conditions.ts';

const parent = { to: paths.compliance.rules.list, label: 'Your rules' };

export function NewOwnRulePage() {
  return (
    <Page
      title="New rule"
      description="Define the conditions that objects must meet. All other objects are not compliant."
      parent={parent}
    >
      <RuleForm />
    </Page>
  );
}

/** The API can only list rules, not return a single one. */
export function EditOwnRulePage() {
  const uuid = useUuid();
  return (
    <QueryView of={useQuery(ownRuleListQuery)} what="the rule">
      {(rules) => {
        const rule = rules.find((each) => each.uuid === uuid);
        return rule ? <EditRule rule={rule} /> : <NoRule />;
      }}
    </QueryView>
  );
}

function NoRule() {
  return (
    <Page title="Rule not found" parent={parent}>
      <Panel>
        <Empty title="No rule at this URL">It may have been removed.</Empty>
      </Panel>
    </Page>
  );
}

function EditRule({ rule }: { readonly rule: OwnRule }) {
  const { uuid: internalRuleUuid, name } = rule;
  return (
    <Page
      title={name}
      parent={parent}
      actions={
        <Actions
          actions={[
            removeAction({
              name,
              needs: ['complianceProfiles', 'delete'],
              remove: () => api.complianceProfiles.deleteComplianceInternalRuleV2({ params: { internalRuleUuid } }),
              consequence:
                'A rule that is used by compliance profiles cannot be removed. Remove it from the profiles first.',
              list: paths.compliance.rules.list,
              queryKey: ownRuleListQuery.queryKey,
            }),
          ]}
        />
      }
    >
      <RuleForm rule={rule} />
    </Page>
  );
}

interface Values {
  readonly name: string;
  readonly description: string;
  readonly resource: Subject;
  readonly conditionItems: readonly SearchFilterRequestDto[];
}

function RuleForm({ rule }: { readonly rule?: OwnRule }) {
  const form = useObjectForm<Values>({
    what: 'rule',
    paths: { ...paths.compliance.rules, one: () => paths.compliance.rules.list },
    object: rule,
    start: {
      name: rule?.name ?? '',
      description: rule?.description ?? '',
      resource: rule && isSubject(rule.resource) ? rule.resource : 'certificates',
      conditionItems: (rule?.conditionItems ?? []).map(filterOf),
    },
    create: (values) => api.complianceProfiles.createComplianceInternalRuleV2({ body: bodyOf(values) }),
    update: (internalRuleUuid, values) =>
      api.complianceProfiles.updateComplianceInternalRuleV2({ params: { internalRuleUuid }, body: bodyOf(values) }),
    refresh: [['complianceProfiles']],
  });
  const { resource, conditionItems } = form.values;
  return (
    <ObjectForm form={form} missing={conditionItems.length === 0 ? 'Add a condition first.' : undefined}>
      <FormSection title="Rule">
        <TextInput
          label="Name"
          description="Shown when an object violates the rule: its requirement, in a few words."
          required
          autoComplete="off"
          {...form.text('name')}
        />
        <DescriptionField form={form} />
        <Select
          label="Applies to"
          allowDeselect={false}
          data={Object.entries(subjectTexts).map(([value, label]) => ({ value, label }))}
          value={resource}
          onChange={(next) => {
            if (next === null || !isSubject(next) || next === resource) return;
            form.set('resource', next);
            // The fields depend on the kind of object.
            form.set('conditionItems', []);
          }}
        />
      </FormSection>
      <FormSection title="Conditions" description="Conditions work like list filters.">
        <ConditionsField
          subject={resource}
          conditions={conditionItems}
          problem={form.problemOf('conditionItems')}
          onChange={(next) => form.set('conditionItems', next)}
        />
      </FormSection>
    </ObjectForm>
  );
}

const bodyOf = ({ name, description, resource, conditionItems }: Values) => ({
  name: name.trim(),
  description,
  resource,
  conditionItems: conditionItems.map(conditionOf),
});
