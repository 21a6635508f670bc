// The passkeys of a user.
import { Text } from '@mantine/core';
import type { Passkey } from '@signetry/contract';
import type { ReactNode } from 'react';
import { formatDate, formatDateTime, formatRelative } from '../../format/dates.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './profile.module.css';

export interface PasskeyPanelProps {
  readonly query: QueryLike<readonly Passkey[]>;
  readonly actionsOf: (passkey: Passkey) => readonly Action[];
  readonly actions?: ReactNode;
  readonly empty: string;
}

export function PasskeyPanel({ query, actionsOf, actions, empty }: PasskeyPanelProps) {
  return (
    <Panel title="Passkeys" actions={actions}>
      <QueryView of={query} what="the passkeys" empty={<Text c="dimmed">{empty}</Text>}>
        {(passkeys) => (
          <ul className={classes.items}>
            {passkeys.map((passkey) => (
              <li key={passkey.uuid}>
                <div className={classes.item}>
                  <Text fw={600} className={classes.name}>
                    {passkey.name}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {describeUsage(passkey)}{' '}
                    {passkey.synced ? 'Synced across the user’s devices.' : 'Stored on one device.'} For {passkey.host}.
                  </Text>
                </div>
                <div className={classes.buttons}>
                  <Actions actions={actionsOf(passkey)} size="compact-xs" />
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

const describeUsage = ({ createdAt, lastUsedAt }: Passkey): ReactNode => (
  <>
    Added {formatDate(createdAt)},{' '}
    {lastUsedAt === undefined ? (
      'not used yet.'
    ) : (
      <span title={formatDateTime(lastUsedAt)}>last used {formatRelative(lastUsedAt)}.</span>
    )}
  </>
);
