// The rules made here, in words.
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { ownRuleListQuery, type OwnRule } from '../../queries/compliance.ts';
import { isSubject, subjectWords, wordsOfConditions } from './conditions.ts';

const columns: readonly WholeColumn<OwnRule>[] = [
  nameColumn(paths.compliance.rules, ({ description }) => description),
  textColumn('about', 'About', ({ resource }) => (isSubject(resource) ? subjectWords[resource] : resource)),
  textColumn('conditions', 'Holds when', ({ resource, conditionItems = [] }) =>
    isSubject(resource) ? wordsOfConditions(resource, conditionItems).join(', and ') : '',
  ),
];

export function OwnRuleListPage() {
  return (
    <ObjectListPage
      title="Your rules"
      description="A rule of your own holds when all its conditions do. A compliance profile says where it applies."
      paths={paths.compliance.rules}
      create={{ label: 'New rule', needs: ['complianceProfiles', 'create'] }}
      query={useQuery(ownRuleListQuery)}
      what="rules"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No rules of your own yet',
        text: 'Say in conditions what certificates, requests or keys have to be like here.',
      }}
    />
  );
}
