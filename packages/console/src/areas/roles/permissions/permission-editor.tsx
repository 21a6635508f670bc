// Editor for a role's permissions: a switch that allows everything, then one row per resource.
import { Checkbox, Switch, Text } from '@mantine/core';
import type { AuthResourceDto } from '@signetry/contract';
import { useState } from 'react';
import { describeAction, describeResource } from '../../../format/resources.ts';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { ChipShape, type ChipState } from './action-chip.tsx';
import { resourceOf, withAllResources, type ChangeDraft, type Draft, type ResourceDraft } from './draft.ts';
import classes from './permissions.module.css';
import { ResourceRow } from './resource-row.tsx';

export interface PermissionEditorProps {
  readonly catalogue: readonly AuthResourceDto[];
  /** The permissions as stored on the platform. */
  readonly start: Draft;
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
}

export function PermissionEditor({ catalogue, start, draft, onChange }: PermissionEditorProps) {
  const [text, setText] = useState('');
  const [isGrantedOnly, setGrantedOnly] = useState(false);
  const wanted = text.trim().toLowerCase();
  const shown = catalogue.filter(
    (resource) =>
      searchTextOf(resource).includes(wanted) && (!isGrantedOnly || isGranting(resourceOf(draft, resource.name))),
  );
  return (
    <>
      <div className={classes.head}>
        <Switch
          label="All resources"
          description="Allows all actions, including those added in later versions. Denials on individual objects below still apply."
          checked={draft.allowAllResources}
          onChange={(event) => {
            const isAll = event.currentTarget.checked;
            onChange((now) => withAllResources(now, isAll));
          }}
        />
        <div className={classes.tools}>
          <LiveSearch label="Search resources and actions" text={text} onSearch={setText} />
          <Checkbox
            label="Only with permissions"
            checked={isGrantedOnly}
            onChange={(event) => setGrantedOnly(event.currentTarget.checked)}
          />
        </div>
        <Legend />
      </div>
      {shown.length === 0 ? (
        <Text c="dimmed" p="lg">
          {wanted === ''
            ? 'This role does not grant any permissions yet.'
            : `No resource or action contains “${text.trim()}”.`}
        </Text>
      ) : (
        <ul className={classes.resources}>
          {shown.map((resource) => (
            <ResourceRow
              key={resource.name}
              resource={resource}
              draft={resourceOf(draft, resource.name)}
              isAllResources={draft.allowAllResources}
              isChanged={resourceOf(draft, resource.name) !== resourceOf(start, resource.name)}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
    </>
  );
}

const searchTextOf = ({ name, actions }: AuthResourceDto): string =>
  [name, describeResource(name), ...actions.map((action) => describeAction(action.name))].join('\n').toLowerCase();

const isGranting = ({ allowAllActions, actions, objects }: ResourceDraft): boolean =>
  allowAllActions || actions.size > 0 || objects.size > 0;

const legend: readonly (readonly [ChipState, string])[] = [
  ['own', 'Allowed by the role'],
  ['given', 'Allowed by a broader permission: all actions, all resources, or the resource of an object'],
  ['denied', 'Denied on this object, overriding all other permissions'],
  ['none', 'Not allowed'],
];

const Legend = () => (
  <ul className={classes.legend} aria-label="Legend">
    {legend.map(([state, words]) => (
      <li key={state}>
        <ChipShape state={state} />
        {words}
      </li>
    ))}
  </ul>
);
