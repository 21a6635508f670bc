// Actions for the selected keys. The confirmation dialog states the number of keys and the consequences. If one key is
// rejected, the action is still applied to the others.
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { KeyItemDto } from '@signetry/contract';
import { IconFlame, IconToggleLeft, IconToggleRight } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import type { Needs } from '../../kit/rights.ts';
import { useMay } from '../../kit/use-may.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import classes from './list.module.css';
import { isDestroyed } from './state.tsx';

export interface BulkActionsProps {
  readonly selected: readonly KeyItemDto[];
  readonly onDone: () => void;
}

export function BulkActions({ selected, onDone }: BulkActionsProps) {
  const left = selected.filter((item) => !isDestroyed(item));
  const disabled = left.filter(({ enabled }) => !enabled);
  const enabled = left.filter((item) => item.enabled);
  return (
    <Group className={classes.chosen} role="group" aria-label="Selected keys">
      <Text size="sm" fw={600} role="status">
        {formatCount(selected.length)} selected
      </Text>
      <BulkButton
        label="Enable"
        done="enabled"
        icon={<IconToggleRight size={14} />}
        needs={['keys', 'enable']}
        items={disabled}
        run={(body) => api.keys.enableKeyItems({ body })}
        onDone={onDone}
      >
        They can be used again if they are active and their token profile is enabled.
      </BulkButton>
      <BulkButton
        label="Disable"
        done="disabled"
        icon={<IconToggleLeft size={14} />}
        needs={['keys', 'enable']}
        items={enabled}
        run={(body) => api.keys.disableKeyItems({ body })}
        onDone={onDone}
      >
        They cannot be used until they are enabled again. Anything that signs with them stops working.
      </BulkButton>
      <BulkButton
        label="Destroy"
        done="destroyed"
        isGrave
        icon={<IconFlame size={14} />}
        needs={['keys', 'delete']}
        items={left}
        run={(body) => api.keys.destroyKeyItems({ body })}
        onDone={onDone}
      >
        The keys are permanently destroyed in their tokens and can never sign or decrypt again. Their records are kept.{' '}
        {describeUsage(left)}
      </BulkButton>
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
    </Group>
  );
}

function describeUsage(items: readonly KeyItemDto[]): string {
  const used = items.filter(({ associations }) => associations > 0);
  if (used.length === 0) return '';
  return `In use by other objects: ${namesOf(used)}. Keys that are still required, for example by an authority, are not destroyed.`;
}

const NAMED = 5;

const namesOf = (items: readonly KeyItemDto[]): string => {
  const names = [...new Set(items.map(({ name }) => name))];
  const rest = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
};

const keysOf = (count: number): string => `${formatCount(count)} ${count === 1 ? 'key' : 'keys'}`;

interface BulkButtonProps {
  /** Verb in the imperative. */
  readonly label: string;
  readonly done: string;
  readonly isGrave?: boolean;
  readonly icon: ReactNode;
  readonly needs: Needs;
  /** Keys that the action affects. */
  readonly items: readonly KeyItemDto[];
  readonly run: (uuids: string[]) => Promise<unknown>;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

function BulkButton(props: BulkButtonProps) {
  const { label, done, isGrave = false, icon, needs, items, run, onDone, children } = props;
  const [asking, question] = useDisclosure();
  const queries = useQueryClient();
  const may = useMay();
  if (!may(needs)) return null;
  const runAndRefresh = async (): Promise<void> => {
    try {
      await run(items.map(({ uuid }) => uuid));
    } finally {
      await queries.invalidateQueries({ queryKey: ['keys'] });
    }
    notify.done(`${keysOf(items.length)} ${done}.`);
    onDone();
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={isGrave && items.length > 0 ? 'var(--bad)' : undefined}
        disabled={items.length === 0}
        leftSection={icon}
        onClick={question.open}
      >
        {label}
      </Button>
      <Confirm
        opened={asking}
        onClose={question.close}
        title={`${label} ${keysOf(items.length)}?`}
        verb={label}
        keep={isGrave ? 'Keep them' : 'Cancel'}
        grave={isGrave}
        action={runAndRefresh}
      >
        {children}{' '}
        <Text span fw={600}>
          {namesOf(items)}.
        </Text>
      </Confirm>
    </>
  );
}
