// Searches and selects the rules and rule groups of all connectors.
import { ActionIcon, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { RequestAttributeDto } from '@signetry/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { offeredRulesQuery, type OfferedRule, type RuleSource } from '../../queries/compliance.ts';
import { connectorListQuery } from '../../queries/connectors.ts';
import { Failure, Skeleton } from '../../ui/outcomes.tsx';
import { kindsOfGroups } from '../connectors/kinds.ts';
import { RuleText } from '../compliance-results/rule-text.tsx';

/** Number of results shown; the total count is shown as well. */
const SHOWN = 20;

/** A connector rule or rule group in the profile, with the attribute values that it has there. */
export interface ChosenRule extends OfferedRule {
  readonly attributes?: readonly RequestAttributeDto[];
}

export interface RuleChooserProps {
  readonly chosen: readonly ChosenRule[];
  readonly onChange: (chosen: readonly ChosenRule[]) => void;
}

export function RuleChooser(props: RuleChooserProps) {
  return (
    <QueryView of={useQuery(connectorListQuery)} what="the connectors">
      {(connectors) => <OfferedRules {...props} sources={sourcesOf(connectors)} />}
    </QueryView>
  );
}

/**
 * Both generations of compliance providers offer the same rules under one kind, so each connector's kind is listed
 * once.
 */
const sourcesOf = (connectors: Parameters<typeof kindsOfGroups>[0]): readonly RuleSource[] => [
  ...new Map(
    kindsOfGroups(
      connectors.filter(({ status }) => status === 'connected'),
      ['complianceProviderV2', 'complianceProvider'],
    ).map(({ connectorUuid, connectorName, kind }) => [
      `${connectorUuid} ${kind}`,
      { connectorUuid, connectorName, kind },
    ]),
  ).values(),
];

function OfferedRules({ sources, ...props }: RuleChooserProps & { readonly sources: readonly RuleSource[] }) {
  const answers = useQueries({ queries: sources.map(offeredRulesQuery) });
  const failed = answers.find(({ error, data }) => error !== null && data === undefined);
  return (
    <Stack gap="md">
      <ChosenRules {...props} />
      {failed && <Failure what="some of the rules" error={failed.error} retry={() => void failed.refetch()} />}
      {answers.some(({ isPending }) => isPending) ? (
        <Skeleton what="the rules" />
      ) : sources.length === 0 ? (
        <Text size="sm" c="dimmed">
          No connected connector offers rules.
        </Text>
      ) : (
        <Choice {...props} offered={answers.flatMap(({ data = [] }) => data)} />
      )}
    </Stack>
  );
}

const keyOf = ({ connectorUuid, kind, isGroup, uuid }: OfferedRule): string =>
  [connectorUuid, kind, isGroup, uuid].join(' ');

function ChosenRules({ chosen, onChange }: RuleChooserProps) {
  if (chosen.length === 0) return null;
  return (
    <section aria-label="Selected">
      <Title order={3} mb={4}>
        Selected
      </Title>
      <Stack gap={4}>
        {chosen.map((rule) => (
          <Group key={keyOf(rule)} gap="xs" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {rule.name}
              <Text span c="dimmed" size="sm">
                {rule.isGroup ? ' group' : ''} from {rule.connectorName}
              </Text>
            </Text>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${rule.name}`}
              onClick={() => onChange(chosen.filter((each) => keyOf(each) !== keyOf(rule)))}
            >
              <IconX size={14} aria-hidden="true" />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </section>
  );
}

function Choice({ chosen, onChange, offered }: RuleChooserProps & { readonly offered: readonly OfferedRule[] }) {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = offered.filter(({ name, description, resource }) => {
    const searched = [name, description, resource].join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const keys = new Set(chosen.map(keyOf));
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label="Search rules"
        description="By name, text, clause or severity, for example “RFC 5280 error” or “key usage”."
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Text size="xs" c="dimmed" role="status">
        {found.length > SHOWN
          ? `${formatCount(found.length)} groups and rules; the first ${SHOWN} are shown.`
          : `${formatCount(found.length)} groups and rules.`}
      </Text>
      {found.slice(0, SHOWN).map((rule) => (
        <Checkbox
          key={keyOf(rule)}
          label={rule.isGroup ? `${rule.name} (group)` : rule.name}
          description={<RuleText description={rule.description} />}
          checked={keys.has(keyOf(rule))}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...chosen, rule] : chosen.filter((each) => keyOf(each) !== keyOf(rule)))
          }
        />
      ))}
    </Stack>
  );
}
