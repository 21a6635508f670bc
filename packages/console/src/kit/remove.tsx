// Removes an object after confirmation. If the platform reports dependents, offers forced removal after a second
// confirmation.
import { ApiError } from '@signetry/client';
import type { BulkActionMessageDto } from '@signetry/contract';
import { Stack, Text } from '@mantine/core';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { Callout } from '../ui/callout.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { notify } from '../ui/notices.tsx';
import { withLinks, type Dependent } from './dependent-names.tsx';

export interface RemoveProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name: string;
  readonly verb: string;
  /** Consequences of the removal. */
  readonly children: ReactNode;
  readonly remove: () => Promise<unknown>;
  /** Removes the object despite its dependents; absent if this is not supported. */
  readonly force?: {
    /** Why the platform rejects the removal, if only one reason is possible. */
    readonly reason?: string;
    readonly consequence: ReactNode;
    readonly remove: () => Promise<readonly BulkActionMessageDto[]>;
    /** Objects that the error message can name. */
    readonly dependents?: readonly Dependent[];
  };
  /** Path of the list that is opened afterwards. */
  readonly list: string;
  /** Key of this object's query. */
  readonly queryKey: QueryKey;
}

export function Remove({ opened, onClose, name, verb, children, remove, force, list, queryKey }: RemoveProps) {
  const [needed, setNeeded] = useState<readonly string[]>();
  /** Whether the first dialog is closing because the second one is replacing it. */
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
    return <ForceRemoval opened={opened} onClose={close} name={name} force={force} needed={needed} onDone={leave} />;
  return (
    <Confirm
      key="remove"
      opened={opened}
      onClose={close}
      title={`${verb} ${name}?`}
      verb={verb}
      keep="Keep it"
      grave
      action={async () => {
        try {
          await remove();
        } catch (error) {
          if (!force || !isRejectedByRules(error)) throw error;
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

/** Reports the removal and opens the list. */
function useLeave({ name, list, queryKey }: Pick<RemoveProps, 'name' | 'list' | 'queryKey'>): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    queries.removeQueries({ queryKey });
    notify.done(`${name} was removed.`);
    await navigate({ to: list });
    // Other objects may refer to the removed object.
    await queries.invalidateQueries();
  };
}

interface ForceRemovalProps extends Pick<RemoveProps, 'opened' | 'onClose' | 'name'> {
  readonly force: NonNullable<RemoveProps['force']>;
  /** The dependents, or another reason why the removal was rejected. */
  readonly needed: readonly string[];
  readonly onDone: () => Promise<void>;
}

function ForceRemoval({ opened, onClose, name, force, needed, onDone }: ForceRemovalProps) {
  return (
    <Confirm
      key="force"
      opened={opened}
      onClose={onClose}
      title={`Force removal of ${name}?`}
      verb="Force removal"
      keep="Keep it"
      grave
      action={async () => {
        assertNoneSkipped(await force.remove());
        await onDone();
      }}
    >
      <Stack gap="sm">
        <Callout tone="warn" title={force.reason ?? 'Still in use'}>
          {needed.map((line) => (
            <Text key={line} size="sm">
              {withLinks(line, force.dependents ?? [])}
            </Text>
          ))}
        </Callout>
        <Text>{force.consequence}</Text>
      </Stack>
    </Confirm>
  );
}

/**
 * Returns whether the removal was rejected because of dependents or by the connector. Missing permissions and
 * connection failures do not justify forced removal.
 */
const isRejectedByRules = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 400 || error.status === 422);

/**
 * Throws if objects were skipped, because bulk operations report success and list the objects that they did not change.
 */
function assertNoneSkipped(messages: readonly BulkActionMessageDto[]): void {
  if (messages.length === 0) return;
  const problems = messages.map(({ message }) => message);
  throw new ApiError(422, { message: problems.join('; '), problems });
}
