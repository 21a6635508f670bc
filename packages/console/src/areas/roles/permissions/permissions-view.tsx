// Lists effective permissions as text, with the roles that grant them.
import { Stack, Text } from '@mantine/core';
import type { EffectivePermissionsDto } from '@signetry/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { resourceInSentence, describeResource } from '../../../format/resources.ts';
import { Callout } from '../../../ui/callout.tsx';
import { FoldedNames } from '../../../ui/folded-names.tsx';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { filterResources, toListedResource, type ListedResource } from './granted.ts';
import classes from './permissions.module.css';

/** Minimum number of lines for which a search field is shown. */
const SEARCHED_FROM = 10;
const RULES_SHOWN = 5;

export interface PermissionsViewProps {
  readonly permissions: EffectivePermissionsDto;
  /** Mid-sentence form: `the user`, `users with this role`, `you`. */
  readonly whom: string;
  /** Whether to show the granting roles; not needed if the user has only one role. */
  readonly withRoles?: boolean;
  /** Shown if nothing is allowed. */
  readonly empty: string;
}

export function PermissionsView({ permissions, whom, withRoles = false, empty }: PermissionsViewProps) {
  const [text, setText] = useState('');
  const { allowAllResources, resources, allowedListings } = permissions;
  const told = useMemo(() => toListedResources(permissions), [permissions]);
  const lines = told.length + told.reduce((sum, { rules }) => sum + rules.length, 0);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(() => filterResources(told, wanted), [told, wanted]);
  const isListed = (name: string): boolean => resources.some((resource) => resource.name === name);
  const others = allowAllResources ? [] : allowedListings.filter((name) => !isListed(name));
  return (
    <Stack gap="md">
      {allowAllResources && (
        <Callout tone="warn" title={`Full access for ${whom}`}>
          Includes resources and actions added in later versions{withRoles && describeFullAccess(permissions)}.
        </Callout>
      )}
      {resources.length === 0 && !allowAllResources && <Text c="dimmed">{empty}</Text>}
      {lines >= SEARCHED_FROM && (
        <div className={classes.tools}>
          <LiveSearch label="Search resources, actions and objects" text={text} onSearch={setText} />
        </div>
      )}
      {shown.length > 0 && (
        <dl className={classes.granted}>
          {shown.map((each) => (
            <GrantedResource key={each.resource.name} told={each} withRoles={withRoles} isAll={allowAllResources} />
          ))}
        </dl>
      )}
      {shown.length === 0 && told.length > 0 && <Text c="dimmed">No results for “{text.trim()}”.</Text>}
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Also {others.map(resourceInSentence).join(' and ')}, if owned or accessible through a group.
        </Text>
      )}
    </Stack>
  );
}

/** If all resources are allowed, only denials are listed. */
const toListedResources = ({ allowAllResources, resources }: EffectivePermissionsDto): readonly ListedResource[] =>
  resources
    .filter(({ objects }) => !allowAllResources || objects.some(({ deny }) => deny.length > 0))
    .map(toListedResource);

function describeFullAccess({ resources }: EffectivePermissionsDto): string {
  const roles = resources.flatMap(({ actions }) =>
    actions.flatMap(({ from }) => from.filter(({ level }) => level === 'allResources').map(({ role }) => role.name)),
  );
  const names = [...new Set(roles)];
  return names.length === 0 ? '' : `, granted by ${describeRoles(names)}`;
}

const describeRoles = (names: readonly string[]): string =>
  names.length === 1 ? `the role ${names[0]}` : `the roles ${names.join(', ')}`;

interface GrantedResourceProps {
  readonly told: ListedResource;
  readonly withRoles: boolean;
  /** Whether all actions on all resources are allowed. */
  readonly isAll: boolean;
}

function GrantedResource({ told: { resource, granted, rules }, withRoles, isAll }: GrantedResourceProps) {
  return (
    <div>
      <dt>{describeResource(resource.name)}</dt>
      {!isAll &&
        granted.map(({ actions, from }) => (
          <dd key={actions.join()}>
            <span>
              {actions.join(', ')}
              {withRoles && from.length > 0 && <span className={classes.from}>, granted by {describeRoles(from)}</span>}
            </span>
          </dd>
        ))}
      {rules.length > 0 && (
        <dd>
          <FoldedNames
            names={rules}
            first={RULES_SHOWN}
            draw={() => <RuleLines rules={rules.slice(0, RULES_SHOWN)} />}
          />
        </dd>
      )}
    </div>
  );
}

const RuleLines = ({ rules }: { readonly rules: readonly string[] }) =>
  rules.map((rule) => (
    <span key={rule} className={classes.from}>
      {rule}
    </span>
  ));
