// What somebody may do, in words, and which of their roles allows it.
import { Stack, Text } from '@mantine/core';
import type { EffectivePermissionsDto } from '@signetry/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { resourceInSentence, wordsOfResource } from '../../../format/resources.ts';
import { Callout } from '../../../ui/callout.tsx';
import { FoldedNames } from '../../../ui/folded-names.tsx';
import { LiveSearch } from '../../../ui/live-search.tsx';
import { searchedFor, toldOf, type ToldResource } from './granted.ts';
import classes from './permissions.module.css';

/** As many are read at a glance. */
const SEARCHED_FROM = 10;
const RULES_SHOWN = 5;

export interface PermissionsViewProps {
  readonly permissions: EffectivePermissionsDto;
  /** In the middle of a sentence: `the user`, `users with this role`, `you`. */
  readonly whom: string;
  /** Whether the roles are told; not where there is one only. */
  readonly withRoles?: boolean;
  /** Shown where nothing is allowed. */
  readonly empty: string;
}

export function PermissionsView({ permissions, whom, withRoles = false, empty }: PermissionsViewProps) {
  const [text, setText] = useState('');
  const { allowAllResources, resources, allowedListings } = permissions;
  const told = useMemo(() => allTold(permissions), [permissions]);
  const lines = told.length + told.reduce((sum, { rules }) => sum + rules.length, 0);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(() => searchedFor(told, wanted), [told, wanted]);
  const isTold = (name: string): boolean => resources.some((resource) => resource.name === name);
  const others = allowAllResources ? [] : allowedListings.filter((name) => !isTold(name));
  return (
    <Stack gap="md">
      {allowAllResources && (
        <Callout tone="warn" title={`Everything is allowed for ${whom}`}>
          Including what later versions add{withRoles && wordsOfEverything(permissions)}.
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
            <Granted key={each.resource.name} told={each} withRoles={withRoles} isAll={allowAllResources} />
          ))}
        </dl>
      )}
      {shown.length === 0 && told.length > 0 && <Text c="dimmed">Nothing contains “{text.trim()}”.</Text>}
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Also {others.map(resourceInSentence).join(' and ')}, as far as they are owned, or opened by a group.
        </Text>
      )}
    </Stack>
  );
}

/** Under a right on everything only what is denied is worth a line. */
const allTold = ({ allowAllResources, resources }: EffectivePermissionsDto): readonly ToldResource[] =>
  resources.filter(({ objects }) => !allowAllResources || objects.some(({ deny }) => deny.length > 0)).map(toldOf);

function wordsOfEverything({ resources }: EffectivePermissionsDto): string {
  const roles = resources.flatMap(({ actions }) =>
    actions.flatMap(({ from }) => from.filter(({ level }) => level === 'allResources').map(({ role }) => role.name)),
  );
  const names = [...new Set(roles)];
  return names.length === 0 ? '' : `, by ${wordsOfRoles(names)}`;
}

const wordsOfRoles = (names: readonly string[]): string =>
  names.length === 1 ? `the role ${names[0]}` : `the roles ${names.join(', ')}`;

interface GrantedProps {
  readonly told: ToldResource;
  readonly withRoles: boolean;
  /** Everything is allowed anyway. */
  readonly isAll: boolean;
}

function Granted({ told: { resource, granted, rules }, withRoles, isAll }: GrantedProps) {
  return (
    <div>
      <dt>{wordsOfResource(resource.name)}</dt>
      {!isAll &&
        granted.map(({ actions, from }) => (
          <dd key={actions.join()}>
            <span>
              {actions.join(', ')}
              {withRoles && from.length > 0 && <span className={classes.from}>, by {wordsOfRoles(from)}</span>}
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
