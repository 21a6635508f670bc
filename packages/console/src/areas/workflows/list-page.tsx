// All rules: each trigger as a sentence, with its assignments.
import { Button, Text } from '@mantine/core';
import type { PlacedTrigger } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconListDetails } from '@tabler/icons-react';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useMay } from '../../kit/use-may.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { placedTriggersQuery } from '../../queries/workflows.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { State } from '../../ui/state.tsx';
import { examples } from './examples.ts';
import { SentenceText } from './sentence.tsx';
import { sentenceOf, textOf, describeAssignment } from './texts.ts';
import classes from './workflows.module.css';

const columns: readonly FullListColumn<PlacedTrigger>[] = [
  {
    key: 'name',
    title: 'Rule',
    by: ({ name }) => name,
    width: 'minmax(0, 3fr)',
    cell: (trigger) => (
      <span className={classes.row}>
        <ObjectLink to={paths.automation.one(trigger.uuid)} name={trigger.name} />
        <Text span size="sm" c="dimmed" component="span">
          <SentenceText of={sentenceOf(trigger)} />
        </Text>
      </span>
    ),
  },
  {
    key: 'where',
    title: 'Assigned to',
    by: ({ places }) => assignmentNamesOf(places).join(', '),
    cell: ({ places }) => <Assignments places={places} />,
  },
  {
    key: 'last',
    title: 'Last run',
    by: ({ activity }) => activity.lastMatchedAt ?? activity.lastEvaluatedAt ?? '',
    cell: ({ activity }) => <LastRun activity={activity} />,
  },
];

const assignmentNamesOf = (places: PlacedTrigger['places']): readonly string[] => [
  ...new Set(places.map(describeAssignment)),
];

/** Maximum number of assignments shown. The trigger's page shows all of them. */
const SHOWN_PLACES = 3;

function Assignments({ places }: Pick<PlacedTrigger, 'places'>) {
  const names = assignmentNamesOf(places);
  if (names.length === 0) return <State tone="none">Not assigned</State>;
  return (
    <span className={classes.places}>
      {names.slice(0, SHOWN_PLACES).map((name) => (
        <span key={name}>{name}</span>
      ))}
      {names.length > SHOWN_PLACES && (
        <Text span size="xs" c="dimmed">{`and ${names.length - SHOWN_PLACES} more`}</Text>
      )}
    </span>
  );
}

function LastRun({ activity }: Pick<PlacedTrigger, 'activity'>) {
  const { lastMatchedAt, lastEvaluatedAt, failuresOfDay } = activity;
  const at = lastMatchedAt ?? lastEvaluatedAt;
  return (
    <span className={classes.places}>
      {at === undefined ? (
        <Text span size="sm" c="dimmed">
          Not evaluated yet
        </Text>
      ) : (
        <span title={formatDateTime(at)}>
          {lastMatchedAt === undefined ? `Evaluated ${formatRelative(at)}, no match` : `Matched ${formatRelative(at)}`}
        </span>
      )}
      {failuresOfDay > 0 && <State tone="bad">{`${formatCount(failuresOfDay)} failed in 24 hours`}</State>}
    </span>
  );
}

export function AutomationPage() {
  const query = useQuery(placedTriggersQuery);
  const may = useMay();
  return (
    <ObjectListPage
      title="Automation"
      description="What the platform does automatically when an event occurs."
      paths={paths.automation}
      create={{ label: 'New rule', needs: ['triggers', 'create'] }}
      otherActions={
        query.data !== undefined &&
        query.data.length > 0 && (
          <ActionButton action={{ label: 'Components', icon: IconListDetails, to: paths.automation.parts }} />
        )
      }
      query={query}
      what="automations"
      columns={columns}
      textOf={(trigger) => [trigger.name, textOf(sentenceOf(trigger)), ...assignmentNamesOf(trigger.places)].join(' ')}
      empty={{
        title: 'No rules yet',
        text: 'Create a rule to act when a certificate is discovered, is about to expire or violates compliance rules. You can test it on existing objects before it makes changes.',
      }}
      {...(may(['triggers', 'create']) && { emptyFoot: <Examples /> })}
    />
  );
}

function Examples() {
  return (
    <ul className={classes.examples} aria-label="Examples">
      {examples.map(({ key, sentence }) => (
        <li key={key} className={classes.example}>
          <Text size="sm">{sentence}</Text>
          <div>
            <Button
              component={Link}
              to={paths.automation.newLike(key)}
              variant="default"
              size="xs"
              aria-label={`Use this example: ${sentence}`}
            >
              Use this example
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
