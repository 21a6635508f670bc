// Evaluations of triggers and their outcomes, newest first: for a single trigger, for a single object, or for the
// triggers assigned to an object.
import { Button, Group, Switch, Text } from '@mantine/core';
import type { WorkflowEvaluationDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayList } from '../../api/session.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import type { CodeTexts } from '../../kit/filters/filter-text.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { evaluationsQuery, type EvaluationChoice } from '../../queries/evaluations.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { EvaluationTree } from './evaluation-tree.tsx';
import classes from './evaluations.module.css';
import { eventTexts, formatList } from './texts.ts';

export interface EvaluationsPanelProps {
  readonly title: string;
  readonly of: EvaluationChoice;
  /** Display names for the codes in certificate fields. */
  readonly codes: CodeTexts;
  readonly empty: string;
}

export function EvaluationsPanel({ title, of, codes, empty }: EvaluationsPanelProps) {
  const isShown = useMayList()('triggers');
  const [page, setPage] = useState(1);
  const [matched, setMatched] = useState(false);
  const query = useQuery({ ...evaluationsQuery({ ...of, page, ...(matched && { matched }) }), enabled: isShown });
  if (!isShown) return null;
  return (
    <Panel
      title={title}
      actions={
        <Switch
          size="xs"
          label="Show only matches"
          checked={matched}
          onChange={({ currentTarget: { checked } }) => {
            setMatched(checked);
            setPage(1);
          }}
        />
      }
    >
      <QueryView of={query} what="the history">
        {({ evaluations, totalItems, totalPages }) => (
          <>
            {evaluations.length === 0 ? (
              <Text c="dimmed">{matched ? 'No rules have matched yet.' : empty}</Text>
            ) : (
              <ul className={classes.list} aria-label={title}>
                {evaluations.map((evaluation) => (
                  <Entry key={evaluation.uuid} evaluation={evaluation} of={of} codes={codes} />
                ))}
              </ul>
            )}
            {totalPages > 1 && (
              <div className={classes.foot}>
                <Text
                  size="xs"
                  c="dimmed"
                >{`Page ${page} of ${formatCount(totalPages)}, ${formatCount(totalItems)} total`}</Text>
                <Group gap="xs">
                  <Button size="compact-sm" variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                    Newer
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={page >= totalPages}
                    onClick={() => setPage(page + 1)}
                  >
                    Older
                  </Button>
                </Group>
              </div>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}

interface EntryProps extends Pick<EvaluationsPanelProps, 'of' | 'codes'> {
  readonly evaluation: WorkflowEvaluationDto;
}

/** The tree is rendered only when opened, because it fetches the event data. */
function Entry({ evaluation, of, codes }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const { event, evaluatedAt } = evaluation;
  return (
    <li className={classes.entry}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={classes.summary}>
          <span className={classes.what}>{of.objectUuid === undefined ? objectOf(evaluation) : eventTexts[event]}</span>
          <Outcome evaluation={evaluation} triggerUuid={of.triggerUuid} />
          <span className={classes.when}>{formatDateTime(evaluatedAt)}</span>
        </summary>
        {isOpen && <EvaluationTree evaluation={evaluation} triggerUuid={of.triggerUuid} codes={codes} />}
      </details>
    </li>
  );
}

function objectOf({ objectUuid, objectName }: WorkflowEvaluationDto): string {
  if (objectUuid === undefined) return 'Excluded from the inventory';
  return objectName ?? 'Deleted, or you cannot view it';
}

interface OutcomeProps {
  readonly evaluation: WorkflowEvaluationDto;
  readonly triggerUuid: string | undefined;
}

/** Shows the state with the highest priority: rejected, then pending, then done. */
function Outcome({ evaluation: { triggers, objectUuid }, triggerUuid }: OutcomeProps) {
  const asked = triggers.filter(({ trigger }) => triggerUuid === undefined || trigger.uuid === triggerUuid);
  const applied = asked.filter(({ outcome }) => outcome === 'matched');
  const states = new Set(applied.flatMap(({ steps }) => steps.map(({ state }) => state)));
  const names = triggerUuid === undefined ? `: ${formatList(applied.map(({ trigger }) => trigger.name))}` : '';
  if (applied.length === 0) return <State tone="none">No match</State>;
  if (states.has('refused')) return <State tone="bad">{`Rejected${names}`}</State>;
  if (states.has('waiting')) return <State tone="wait">{`Waiting${names}`}</State>;
  if (states.size > 0) return <State tone="good">{`Done${names}`}</State>;
  return <State tone="good">{`${objectUuid === undefined ? 'Excluded' : 'Ignored'}${names}`}</State>;
}
