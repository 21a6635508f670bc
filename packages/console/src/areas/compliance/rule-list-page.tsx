// List of internal rules, with their conditions as text.
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { ownRuleListQuery, type OwnRule } from '../../queries/compliance.ts';
import { isSubject, subjectTexts, describeConditions } from './conditions.ts';

const columns: readonly FullListColumn<OwnRule>[] = [
  nameColumn(paths.compliance.rules, ({ description }) => description),
  textColumn('about', 'Applies to', ({ resource }) => (isSubject(resource) ? subjectTexts[resource] : resource)),
  textColumn('conditions', 'Conditions', ({ resource, conditionItems = [] }) =>
    isSubject(resource) ? describeConditions(resource, conditionItems).join(', and ') : '',
  ),
];

export function OwnRuleListPage() {
  return (
    <ObjectListPage
      title="Your rules"
      description="Objects comply with a rule if they meet all of its conditions. Compliance profiles determine where a rule applies."
      paths={paths.compliance.rules}
      create={{ label: 'New rule', needs: ['complianceProfiles', 'create'] }}
      query={useQuery(ownRuleListQuery)}
      what="rules"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No rules yet',
        text: 'Create one to define requirements for certificates, requests or keys.',
      }}
    />
  );
}
