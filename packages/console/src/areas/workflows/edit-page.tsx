// Creates a trigger, optionally from an example, or edits one. The edit form is shown once it is known where else the
// trigger's parts are used.
import type { PlacedTrigger } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { actionDetailsQuery, placedTriggersQuery, ruleDetailsQuery } from '../../queries/workflows.ts';
import { Page } from '../../ui/page.tsx';
import { exampleOf } from './examples.ts';
import type { NewSearch } from './new-search.ts';
import { NoTrigger } from './no-trigger.tsx';
import { TriggerForm } from './trigger-form.tsx';
import { emptyValues, valuesOfTrigger } from './trigger-values.ts';
import { usageOf, type Definitions } from './usage.ts';

export function NewTriggerPage() {
  const { example, at, object }: NewSearch = useSearch({ strict: false });
  const start = exampleOf(example) ?? emptyValues;
  const places = at && object !== undefined ? [{ resource: at, objectUuid: object }] : start.places;
  return (
    <Page
      title="New rule"
      description="Define what the platform does automatically, and when."
      parent={{ to: paths.automation.list, label: 'Automation' }}
    >
      <QueryView of={useQuery(placedTriggersQuery)} what="the rules" inPanel>
        {(triggers) => <TriggerForm start={{ ...start, places }} triggers={triggers} />}
      </QueryView>
    </Page>
  );
}

export function EditTriggerPage() {
  const uuid = useUuid();
  return (
    <QueryView of={useDefinitions()} what="the rule">
      {(definitions) => {
        const trigger = definitions.triggers.find((each) => each.uuid === uuid);
        return trigger ? <EditTrigger trigger={trigger} definitions={definitions} /> : <NoTrigger />;
      }}
    </QueryView>
  );
}

function EditTrigger({ trigger, definitions }: { readonly trigger: PlacedTrigger; readonly definitions: Definitions }) {
  return (
    <Page title={`Edit ${trigger.name}`} parent={{ to: paths.automation.one(trigger.uuid), label: trigger.name }}>
      <TriggerForm
        start={valuesOfTrigger(trigger, usageOf(definitions))}
        trigger={trigger}
        triggers={definitions.triggers}
      />
    </Page>
  );
}

/** Waits for all queries, because a part must not be changed before its other uses are known. */
function useDefinitions(): QueryLike<Definitions> {
  const mayList = useMayList();
  const triggers = useQuery(placedTriggersQuery);
  const rules = useQuery({ ...ruleDetailsQuery, enabled: mayList('rules') });
  const actions = useQuery({ ...actionDetailsQuery, enabled: mayList('actions') });
  const isThere = triggers.data && (rules.data || !mayList('rules')) && (actions.data || !mayList('actions'));
  return {
    data: isThere ? { triggers: triggers.data, rules: rules.data ?? [], actions: actions.data ?? [] } : undefined,
    error: triggers.error ?? rules.error ?? actions.error,
    refetch: () => Promise.all([triggers.refetch(), rules.refetch(), actions.refetch()]),
  };
}
