// Lists the API objects that rules consist of, and where each is used.
import { Tabs } from '@mantine/core';
import type { DefinitionUse, PlacedTrigger } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { api } from '../../api/client.ts';
import { describeResource } from '../../format/resources.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { useNewSearch } from '../../kit/use-list-search.ts';
import {
  actionDetailsQuery,
  conditionListQuery,
  executionListQuery,
  placedTriggersQuery,
  ruleDetailsQuery,
  WORKFLOWS_KEY,
} from '../../queries/workflows.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatList, describeStep } from '../evaluations/texts.ts';
import { PART_TABS, type PartsSearch, type PartTab } from './new-search.ts';
import { clauseOfItem, filterOf, describeAssignment } from './texts.ts';
import classes from './workflows.module.css';

interface Part {
  readonly uuid: string;
  readonly name: string;
  readonly about: string;
  /** Text of the conditions or steps, or the names of the components. */
  readonly content: string;
  readonly usedBy: readonly string[];
  readonly to?: string;
}

const labels: Readonly<Record<PartTab, string>> = {
  triggers: 'Triggers',
  rules: 'Rules',
  conditions: 'Conditions',
  actions: 'Actions',
  executions: 'Executions',
};

export function PartsPage() {
  const { tab = 'triggers' }: PartsSearch = useSearch({ strict: false });
  const open = useNewSearch<PartsSearch>();
  const mayList = useMayList();
  const shown = PART_TABS.filter((each) => mayList(resources[each]));
  return (
    <Page
      title="Rule components"
      description="The API objects that rules consist of. Other clients may have created some of them."
      parent={{ to: paths.automation.list, label: 'Automation' }}
      wide
    >
      <Tabs
        value={tab}
        onChange={(wanted) => {
          const next = PART_TABS.find((each) => each === wanted);
          open(next && next !== 'triggers' ? { tab: next } : {});
        }}
      >
        <Tabs.List className={classes.tabs} mb="lg">
          {shown.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <PartList tab={tab} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Conditions require the permissions for rules; executions require the permissions for actions. */
const resources = {
  triggers: 'triggers',
  rules: 'rules',
  conditions: 'rules',
  actions: 'actions',
  executions: 'actions',
} as const satisfies Readonly<Record<PartTab, string>>;

function PartList({ tab }: { readonly tab: PartTab }) {
  const parts = useParts()[tab];
  const columns: readonly Column<Part>[] = [
    {
      key: 'name',
      title: 'Name',
      cell: ({ name, to }) => (to === undefined ? <bdi>{name}</bdi> : <TextLink to={to}>{name}</TextLink>),
    },
    {
      key: 'content',
      title: tab === 'triggers' ? 'Components' : 'Content',
      cell: ({ content }) => <span className={classes.wrapped}>{content || '–'}</span>,
    },
    { key: 'about', title: 'Resource', minor: true, cell: ({ about }) => about },
    {
      key: 'used',
      title: tab === 'triggers' ? 'Assigned to' : 'Used by',
      titled: true,
      cell: ({ usedBy }) => <span className={classes.wrapped}>{formatList(usedBy) || 'None'}</span>,
    },
    { key: 'remove', title: 'Action', cell: (part) => <RemovePart tab={tab} part={part} /> },
  ];
  return (
    <Panel flush>
      <QueryView
        of={parts}
        what={labels[tab].toLowerCase()}
        empty={<Empty title={`No ${labels[tab].toLowerCase()}`}>Components are created together with rules.</Empty>}
      >
        {(rows) => (
          <Table
            label={labels[tab]}
            columns={tab === 'triggers' ? columns.slice(0, -1) : columns}
            rows={rows}
            keyOf={({ uuid }) => uuid}
            nameOf={({ name }) => name}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const removals: Readonly<Record<Exclude<PartTab, 'triggers'>, (uuid: string) => Promise<unknown>>> = {
  rules: (ruleUuid) => api.workflowRules.deleteRule({ params: { ruleUuid } }),
  conditions: (conditionUuid) => api.workflowRules.deleteCondition({ params: { conditionUuid } }),
  actions: (actionUuid) => api.workflowActions.deleteAction({ params: { actionUuid } }),
  executions: (executionUuid) => api.workflowActions.deleteExecution({ params: { executionUuid } }),
};

/** Triggers are removed on their own pages, together with their components. */
function RemovePart({ tab, part: { uuid, name, usedBy } }: { readonly tab: PartTab; readonly part: Part }) {
  if (tab === 'triggers' || usedBy.length > 0) return null;
  return (
    <ActionButton
      size="compact-sm"
      action={{
        label: 'Remove',
        name: `Remove ${name}`,
        isGrave: true,
        needs: [resources[tab], 'delete', uuid],
        run: () => removals[tab](uuid),
        done: `${name} was removed.`,
        refresh: WORKFLOWS_KEY,
        ask: { title: `Remove ${name}?`, children: 'It is not used.', keep: 'Keep it' },
      }}
    />
  );
}

function useParts(): Readonly<Record<PartTab, QueryLike<readonly Part[]>>> {
  const mayList = useMayList();
  const triggers = useQuery(placedTriggersQuery);
  const rules = useQuery({ ...ruleDetailsQuery, enabled: mayList('rules') });
  const actions = useQuery({ ...actionDetailsQuery, enabled: mayList('actions') });
  const conditions = useQuery({ ...conditionListQuery, enabled: mayList('rules') });
  const executions = useQuery({ ...executionListQuery, enabled: mayList('actions') });
  return {
    triggers: as(triggers, (row) => ({
      ...commonFieldsOf(row),
      content: formatList([...row.rules, ...row.actions].map(({ name }) => name)),
      usedBy: [...new Set(row.places.map(describeAssignment))],
      to: paths.automation.one(row.uuid),
    })),
    rules: as(rules, (row) => ({
      ...commonFieldsOf(row),
      content: formatList(row.conditions.map(({ name }) => name)),
      usedBy: namesOf(row.usedBy),
    })),
    conditions: as(conditions, (row) => ({
      ...commonFieldsOf(row),
      content: row.items.map((item) => clauseOfItem(row.resource, filterOf(item))).join(' and '),
      usedBy: namesOf(row.usedBy),
    })),
    actions: as(actions, (row) => ({
      ...commonFieldsOf(row),
      content: formatList(row.executions.map(({ name }) => name)),
      usedBy: namesOf(row.usedBy),
    })),
    executions: as(executions, (row) => ({
      ...commonFieldsOf(row),
      content: formatList(row.items.map(describeStep)),
      usedBy: namesOf(row.usedBy),
    })),
  };
}

/** Returns the names of the objects that use a part, as far as the user can see them, and the number of the others. */
function namesOf({ count, named }: DefinitionUse): readonly string[] {
  const unseen = count - named.length;
  const names = named.map(({ name }) => name);
  if (unseen === 0) return names;
  return [...names, named.length === 0 ? `${unseen} that you cannot view` : `${unseen} more that you cannot view`];
}

const commonFieldsOf = ({ uuid, name, resource }: Pick<PlacedTrigger, 'uuid' | 'name' | 'resource'>) => ({
  uuid,
  name,
  about: resource === 'ANY' ? 'Any resource' : describeResource(resource),
});

const as = <Row,>(query: QueryLike<readonly Row[]>, partOf: (row: Row) => Part): QueryLike<readonly Part[]> => ({
  data: query.data?.map(partOf),
  error: query.error,
  refetch: () => query.refetch(),
});
