// Resource row in the editor: its actions, a button for all actions and, on demand, permissions on individual objects.
import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AuthResourceDto } from '@signetry/contract';
import { memo, useCallback } from 'react';
import { formatCount } from '../../../format/names.ts';
import { meaningOfAction, describeAction, describeResource } from '../../../format/resources.ts';
import { ActionChip, type ChipState } from './action-chip.tsx';
import { withActionToggled, withAllActions, type ChangeDraft, type ResourceDraft } from './draft.ts';
import { ObjectRights } from './object-rights.tsx';
import classes from './permissions.module.css';

export interface ResourceRowProps {
  readonly resource: AuthResourceDto;
  readonly draft: ResourceDraft;
  readonly isAllResources: boolean;
  readonly isChanged: boolean;
  readonly onChange: ChangeDraft;
}

/** Memoized because there are dozens of rows: a row is rendered again only if its resource changed. */
export const ResourceRow = memo(function ResourceRow(props: ResourceRowProps) {
  const { resource, draft, isAllResources, isChanged, onChange } = props;
  const { name, actions, objectAccess } = resource;
  const [isOpen, objects] = useDisclosure();
  const words = describeResource(name);
  const toggle = useCallback(
    (action: string) => onChange((now) => withActionToggled(now, name, action)),
    [name, onChange],
  );
  const isAll = draft.allowAllActions;
  const toggleAll = useCallback(() => onChange((now) => withAllActions(now, name, !isAll)), [name, onChange, isAll]);
  const isGiven = isAllResources || isAll;
  const opening = isOpen ? 'Hide individual objects' : `Individual objects: ${describeRuleCount(draft.objects.size)}`;
  return (
    <li className={classes.resource} data-changed={isChanged || undefined}>
      <div className={classes.row} role="group" aria-label={words}>
        <div className={classes.name}>
          <span>{words}</span>
          {objectAccess && (
            <UnstyledButton
              className={classes.more}
              aria-expanded={isOpen}
              aria-label={`${opening} (${words})`}
              onClick={objects.toggle}
            >
              {opening}
            </UnstyledButton>
          )}
        </div>
        <div className={classes.chips}>
          <ActionChip
            label="All actions"
            action=""
            state={stateOf(isAll, isAllResources)}
            name={`All actions on ${words}${isAllResources ? ', allowed by a broader permission' : ''}`}
            title="Includes actions added in later versions"
            checked={isGiven}
            isFixed={isAllResources}
            onPress={toggleAll}
          />
          {actions.map(({ name: action }) => (
            <ActionChip
              key={action}
              action={action}
              label={describeAction(action)}
              state={stateOf(draft.actions.has(action), isGiven)}
              name={`${describeAction(action)} ${words}${isGiven ? ', allowed by a broader permission' : ''}`}
              title={meaningOfAction(action)}
              checked={isGiven || draft.actions.has(action)}
              isFixed={isGiven}
              onPress={toggle}
            />
          ))}
        </div>
      </div>
      {isOpen && <ObjectRights resource={resource} draft={draft} isAllResources={isAllResources} onChange={onChange} />}
    </li>
  );
});

/** A broader permission takes precedence over the resource's own. */
const stateOf = (isOwn: boolean, isGiven: boolean): ChipState => (isGiven ? 'given' : isOwn ? 'own' : 'none');

function describeRuleCount(objects: number): string {
  if (objects === 0) return 'no rules';
  return objects === 1 ? '1 has a rule' : `${formatCount(objects)} have rules`;
}
