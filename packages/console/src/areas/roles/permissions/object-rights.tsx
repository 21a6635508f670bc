// Permissions on individual objects of a resource. There can be ten thousand, so they are searchable by name and shown
// page by page.
import { Button, Checkbox, Pagination, Select, Text } from '@mantine/core';
import type { AuthResourceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { formatCount } from '../../../format/names.ts';
import { meaningOfAction, describeAction, describeResource } from '../../../format/resources.ts';
import { arrangeRows, pageOf } from '../../../kit/arrange-rows.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { resourceObjectsQuery } from '../../../queries/roles.ts';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { ActionChip, type ChipState } from './action-chip.tsx';
import {
  nextRight,
  withObjectRight,
  type ChangeDraft,
  type NamedObject,
  type ObjectRight,
  type ResourceDraft,
} from './draft.ts';
import classes from './permissions.module.css';

const PAGE_SIZE = 20;

export interface ObjectRightsProps {
  readonly resource: AuthResourceDto;
  readonly draft: ResourceDraft;
  readonly isAllResources: boolean;
  readonly onChange: ChangeDraft;
}

export function ObjectRights(props: ObjectRightsProps) {
  const { resource, draft } = props;
  const words = describeResource(resource.name);
  return (
    <section className={classes.objects} aria-label={`Permissions on individual ${words}`}>
      <QueryView of={useQuery(resourceObjectsQuery(resource.name))} what="the objects">
        {(known) => <ObjectMatches {...props} all={includeUnlisted(known, draft)} words={words} />}
      </QueryView>
    </section>
  );
}

/** Also includes objects that have a rule but that the user cannot list. */
function includeUnlisted(known: readonly NamedObject[], { objects }: ResourceDraft): readonly NamedObject[] {
  const listed = new Set(known.map(({ uuid }) => uuid));
  const others = [...objects].flatMap(([uuid, { name }]) => (listed.has(uuid) ? [] : [{ uuid, name }]));
  return others.length === 0 ? known : [...known, ...others];
}

const textOf = ({ name }: NamedObject): string => name;

interface ObjectMatchesProps extends ObjectRightsProps {
  readonly all: readonly NamedObject[];
  readonly words: string;
}

function ObjectMatches({ resource, draft, isAllResources, onChange, all, words }: ObjectMatchesProps) {
  const [text, setText] = useState('');
  const [isRuledOnly, setRuledOnly] = useState(false);
  const [wanted, setWanted] = useState(1);
  const searched = useDeferredValue(text);
  // Sorting ten thousand names is too slow for every keystroke; filtering them is not.
  const sorted = useMemo(() => arrangeRows(all, { text: '', textOf, by: textOf, direction: 'asc' }), [all]);
  const named = arrangeRows(sorted, { text: searched, textOf, by: undefined, direction: 'asc' });
  const found = isRuledOnly ? named.filter(({ uuid }) => draft.objects.has(uuid)) : named;
  const { shown, page, pages } = pageOf(found, { wanted, size: PAGE_SIZE });
  const { name } = resource;
  const press = useCallback(
    (object: NamedObject, action: string, right: ObjectRight | undefined) =>
      onChange((now) => withObjectRight(now, name, { objects: [object], action, right })),
    [name, onChange],
  );
  if (all.length === 0) return <Text className={classes.missing}>No objects, or none that you can list.</Text>;
  return (
    <>
      <div className={classes.tools}>
        <LiveSearch
          size="xs"
          label={`Search ${words}`}
          placeholder={`Search ${formatCount(all.length)} by name`}
          text={text}
          onSearch={(next) => {
            setText(next);
            setWanted(1);
          }}
        />
        <Checkbox
          size="xs"
          label={`Only with a rule (${formatCount(draft.objects.size)})`}
          checked={isRuledOnly}
          onChange={(event) => {
            setRuledOnly(event.currentTarget.checked);
            setWanted(1);
          }}
        />
        <BulkRules resource={resource} found={found} onChange={onChange} />
      </div>
      {shown.length === 0 ? (
        <Text className={classes.missing}>No matches.</Text>
      ) : (
        <ul className={classes.objectRows}>
          {shown.map((object) => (
            <ObjectRow
              key={object.uuid}
              object={object}
              rights={draft.objects.get(object.uuid)?.rights}
              actions={resource.actions}
              given={isAllResources || draft.allowAllActions ? 'all' : draft.actions}
              onPress={press}
            />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <Pagination
          size="xs"
          total={pages}
          value={page}
          onChange={setWanted}
          getControlProps={(control) => ({ 'aria-label': `${control} page of ${words}` })}
        />
      )}
    </>
  );
}

interface ObjectRowProps {
  readonly object: NamedObject;
  readonly rights: ReadonlyMap<string, ObjectRight> | undefined;
  readonly actions: AuthResourceDto['actions'];
  /** Actions that the resource grants on all of its objects. */
  readonly given: ReadonlySet<string> | 'all';
  readonly onPress: (object: NamedObject, action: string, right: ObjectRight | undefined) => void;
}

const ObjectRow = memo(function ObjectRow({ object, rights, actions, given, onPress }: ObjectRowProps) {
  const isGranted = (action: string): boolean => given === 'all' || given.has(action);
  return (
    <li>
      <div className={classes.row} role="group" aria-label={object.name}>
        <span className={classes.name}>{object.name}</span>
        <div className={classes.chips}>
          {actions.map(({ name: action }) => {
            const right = rights?.get(action);
            const state = stateOf(right, isGranted(action));
            return (
              <ActionChip
                key={action}
                action={action}
                label={describeAction(action)}
                state={state}
                name={`${describeAction(action)} ${object.name}: ${stateWords[state]}`}
                title={meaningOfAction(action)}
                onPress={() => onPress(object, action, nextRight(right, isGranted(action)))}
              />
            );
          })}
        </div>
      </div>
    </li>
  );
});

const stateWords: Readonly<Record<ChipState, string>> = {
  own: 'allowed on this object',
  given: 'allowed on the resource',
  denied: 'denied on this object',
  none: 'not allowed',
};

const stateOf = (right: ObjectRight | undefined, isGiven: boolean): ChipState => {
  if (right === 'deny') return 'denied';
  if (isGiven) return 'given';
  return right === 'allow' ? 'own' : 'none';
};

/** Applies one rule to all matching objects. */
function BulkRules(props: {
  readonly resource: AuthResourceDto;
  readonly found: readonly NamedObject[];
  readonly onChange: ChangeDraft;
}) {
  const { resource, found, onChange } = props;
  const { name, actions } = resource;
  const [action, setAction] = useState<string>(actions[0]?.name ?? '');
  const set = (right: ObjectRight | undefined) => () =>
    onChange((now) => withObjectRight(now, name, { objects: found, action, right }));
  const button = (label: string, right: ObjectRight | undefined) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={found.length === 0}
      aria-label={`${label} for all matches`}
      onClick={set(right)}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes.bulk} role="group" aria-label="All matches">
      <span>For all matches ({formatCount(found.length)}):</span>
      <Select
        size="xs"
        w="8rem"
        aria-label="Action for all matches"
        data={actions.map(({ name: value }) => ({ value, label: describeAction(value) }))}
        value={action}
        onChange={(value) => setAction(value ?? '')}
      />
      {button('Allow', 'allow')}
      {button('Deny', 'deny')}
      {button('No rule', undefined)}
    </div>
  );
}
