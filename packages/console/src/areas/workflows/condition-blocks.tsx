// Shows a trigger's conditions as text and edits them in the filter dialog. Conditions shared with other triggers are
// read-only unless they are replaced by a copy.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Resource, SearchFilterRequestDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { capitalize } from '../../format/names.ts';
import { ActiveFilters } from '../../kit/filters/active-filters.tsx';
import { ListFilters } from '../../kit/filters/list-filters.tsx';
import { comparableFieldsQuery } from '../../queries/workflows.ts';
import { codeTexts } from '../certificates/filter-text.ts';
import { isShared, ownCopyOf, withItems, type ConditionBlock } from './trigger-values.ts';
import { formatList } from '../evaluations/texts.ts';
import { clauseOfItem, subjectOf } from './texts.ts';
import classes from './workflows.module.css';

export interface ConditionBlocksProps {
  readonly resource: Resource;
  readonly blocks: readonly ConditionBlock[];
  readonly onChange: (blocks: readonly ConditionBlock[]) => void;
}

interface EditedCondition {
  readonly block: number;
  /** Index of the condition to edit; absent for a new condition. */
  readonly place?: number;
}

export function ConditionBlocks({ resource, blocks, onChange }: ConditionBlocksProps) {
  const [edited, edit] = useState<EditedCondition>();
  const own = blocks.findIndex((block) => !isShared(block));
  const target = own < 0 ? blocks.length : own;
  const change = (block: number, items: readonly SearchFilterRequestDto[]) =>
    onChange(withItems(blocks, block, items, resource));
  return (
    <Stack gap="sm" role="group" aria-label="Conditions">
      <Text size="sm">
        {blocks.every(({ items }) => items.length === 0)
          ? `No conditions: applies to every ${subjectOf(resource).replace(/^an? /, '')}.`
          : 'All conditions must match:'}
      </Text>
      {blocks.map((block, index) =>
        isShared(block) ? (
          <SharedBlock
            key={`${block.ruleUuid} ${block.conditionUuid}`}
            block={block}
            onCopy={() => onChange(blocks.with(index, ownCopyOf(block)))}
            onRemove={() => onChange(blocks.toSpliced(index, 1))}
          />
        ) : (
          <ActiveFilters
            one="condition"
            key={block.conditionUuid ?? `new ${index}`}
            filters={block.items}
            wordsOf={(filter) => clauseOfItem(resource, filter)}
            error={undefined}
            onChange={(items) => change(index, items)}
            onEdit={(place) => edit({ block: index, place })}
          />
        ),
      )}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => edit({ block: target })}
        >
          Add condition
        </Button>
      </Group>
      {edited && (
        <ConditionDialog
          resource={resource}
          filters={blocks[edited.block]?.items ?? []}
          place={edited.place}
          onChange={(items) => change(edited.block, items)}
          onClose={() => edit(undefined)}
        />
      )}
    </Stack>
  );
}

interface ConditionDialogProps {
  readonly resource: Resource;
  readonly filters: readonly SearchFilterRequestDto[];
  readonly place: number | undefined;
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
  readonly onClose: () => void;
}

const ConditionDialog = ({ resource, ...dialog }: ConditionDialogProps) => (
  <ListFilters
    {...dialog}
    fields={useQuery(comparableFieldsQuery(resource))}
    codeWords={codeTexts}
    wording={{ title: 'Conditions', one: 'condition', none: 'No conditions' }}
    ask={() => Promise.resolve()}
  />
);

interface SharedBlockProps {
  readonly block: ConditionBlock;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

function SharedBlock({ block, onCopy, onRemove }: SharedBlockProps) {
  const { name = '', resource, items, sharedWith } = block;
  return (
    <div className={classes.block} data-shared role="group" aria-label={`Shared conditions ${name}`}>
      <Text size="sm">{capitalize(items.map((item) => clauseOfItem(resource, item)).join(' and '))}</Text>
      <Text size="xs" c="dimmed">
        {`${name}, also used by ${formatList(sharedWith)}. Use a copy to change it only here.`}
      </Text>
      <Group gap="xs">
        <Button size="compact-xs" variant="default" aria-label={`Use a copy of ${name}`} onClick={onCopy}>
          Use a copy
        </Button>
        <Button size="compact-xs" variant="default" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </div>
  );
}
