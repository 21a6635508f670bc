// Removing an object that others may need: it is asked for once, and once more, by force, when the platform names what
// needs it.
import { ApiError } from '@signetry/client';
import type { BulkActionMessageDto } from '@signetry/contract';
import { Stack, Text } from '@mantine/core';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { Callout } from '../ui/callout.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { notify } from '../ui/notices.tsx';

export interface RemoveProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name: string;
  /** What follows from it. */
  readonly children: ReactNode;
  readonly remove: () => Promise<unknown>;
  /** Removes it although it is needed; absent where that is not possible. */
  readonly force?: {
    /** Why the platform refuses at first, where there is one reason only. */
    readonly reason?: string;
    readonly consequence: ReactNode;
    readonly remove: () => Promise<readonly BulkActionMessageDto[]>;
  };
  /** The page of its list, which follows. */
  readonly list: string;
  /** Of what was read about it alone. */
  readonly queryKey: QueryKey;
}

export function Remove({ opened, onClose, name, children, remove, force, list, queryKey }: RemoveProps) {
  const [needed, setNeeded] = useState<readonly string[]>();
  /** The first question is answered, but not done with: the second one takes its place. */
  const goesOn = useRef(false);
  const leave = useLeave({ name, list, queryKey });
  const close = (): void => {
    if (goesOn.current) goesOn.current = false;
    else {
      setNeeded(undefined);
      onClose();
    }
  };
  if (needed && force)
    return <ByForce opened={opened} onClose={close} name={name} force={force} needed={needed} onDone={leave} />;
  return (
    <Confirm
      key="remove"
      opened={opened}
      onClose={close}
      title={`Remove ${name}?`}
      verb="Remove"
      keep="Keep it"
      grave
      action={async () => {
        try {
          await remove();
        } catch (error) {
          if (!force || !isRefusedByRules(error)) throw error;
          goesOn.current = true;
          setNeeded(error.problems.length > 0 ? error.problems : [error.message]);
          return;
        }
        await leave();
      }}
    >
      {children}
    </Confirm>
  );
}

/** What is said and shown once the object is gone. */
function useLeave({ name, list, queryKey }: Pick<RemoveProps, 'name' | 'list' | 'queryKey'>): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    queries.removeQueries({ queryKey });
    notify.done(`${name} was removed.`);
    await navigate({ to: list });
    // Others tell about it, too.
    await queries.invalidateQueries();
  };
}

interface ByForceProps extends Pick<RemoveProps, 'opened' | 'onClose' | 'name'> {
  readonly force: NonNullable<RemoveProps['force']>;
  /** What needs it, or why else it was refused. */
  readonly needed: readonly string[];
  readonly onDone: () => Promise<void>;
}

function ByForce({ opened, onClose, name, force, needed, onDone }: ByForceProps) {
  return (
    <Confirm
      key="force"
      opened={opened}
      onClose={onClose}
      title={`Remove ${name} by force?`}
      verb="Remove by force"
      keep="Keep it"
      grave
      action={async () => {
        refuseLeftOver(await force.remove());
        await onDone();
      }}
    >
      <Stack gap="sm">
        <Callout tone="warn" title={force.reason ?? 'It is still in use'}>
          {needed.map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Callout>
        <Text>{force.consequence}</Text>
      </Stack>
    </Confirm>
  );
}

/** Somebody needs it, or its connector does not let go; missing rights and lost connections are no reason for force. */
const isRefusedByRules = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 400 || error.status === 422);

/** Operations on many objects succeed as a whole and name those that stay. */
function refuseLeftOver(messages: readonly BulkActionMessageDto[]): void {
  if (messages.length === 0) return;
  const problems = messages.map(({ message }) => message);
  throw new ApiError(422, { message: problems.join('; '), problems });
}
