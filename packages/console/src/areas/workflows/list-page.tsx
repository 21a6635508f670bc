// What happens by itself: every trigger as a sentence, with where it applies.
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
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { placedTriggersQuery } from '../../queries/workflows.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { State } from '../../ui/state.tsx';
import { examples } from './examples.ts';
import { SentenceText } from './sentence.tsx';
import { sentenceOf, textOf, wordsOfPlace } from './words.ts';
import classes from './workflows.module.css';

const columns: readonly WholeColumn<PlacedTrigger>[] = [
  {
    key: 'name',
    title: 'What happens',
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
    title: 'Where',
    by: ({ places }) => placeNames(places).join(', '),
    cell: ({ places }) => <Places places={places} />,
  },
  {
    key: 'last',
    title: 'Last run',
    by: ({ activity }) => activity.lastMatchedAt ?? activity.lastEvaluatedAt ?? '',
    cell: ({ activity }) => <LastRun activity={activity} />,
  },
];

const placeNames = (places: PlacedTrigger['places']): readonly string[] => [...new Set(places.map(wordsOfPlace))];

/** Others are told on the page of the trigger. */
const SHOWN_PLACES = 3;

function Places({ places }: Pick<PlacedTrigger, 'places'>) {
  const names = placeNames(places);
  if (names.length === 0) return <State tone="none">Not in force</State>;
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
          Not asked yet
        </Text>
      ) : (
        <span title={formatDateTime(at)}>
          {lastMatchedAt === undefined ? `Asked ${formatRelative(at)}, did not apply` : `Applied ${formatRelative(at)}`}
        </span>
      )}
      {failuresOfDay > 0 && <State tone="bad">{`${formatCount(failuresOfDay)} refused in 24 hours`}</State>}
    </span>
  );
}

export function AutomationPage() {
  const query = useQuery(placedTriggersQuery);
  const may = useMay();
  return (
    <ObjectListPage
      title="Automation"
      description="What the platform does by itself when something happens, in words."
      paths={paths.automation}
      create={{ label: 'New automation', needs: ['triggers', 'create'] }}
      otherActions={
        query.data !== undefined &&
        query.data.length > 0 && (
          <ActionButton action={{ label: 'Parts', icon: IconListDetails, to: paths.automation.parts }} />
        )
      }
      query={query}
      what="automations"
      columns={columns}
      textOf={(trigger) => [trigger.name, textOf(sentenceOf(trigger)), ...placeNames(trigger.places)].join(' ')}
      empty={{
        title: 'Nothing happens by itself yet',
        text: 'Say once what is to be done when a certificate is discovered, is about to expire or breaks a rule. You can try it on what is there before it does anything.',
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
              aria-label={`Begin with this: ${sentence}`}
            >
              Begin with this
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
