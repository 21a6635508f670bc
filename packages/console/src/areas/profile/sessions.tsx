// The user's browser sessions.
import { Text } from '@mantine/core';
import type { Session } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { sessionsQuery } from '../../queries/sign-in.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { browserOf } from './browser-name.ts';
import classes from './profile.module.css';

export function Sessions() {
  const query = useQuery(sessionsQuery);
  return (
    <Panel title="Sessions" actions={(query.data?.length ?? 0) > 1 && <EndOtherSessions />}>
      <QueryView
        of={query}
        what="the sessions"
        empty={<Text c="dimmed">You are not signed in with a browser session.</Text>}
      >
        {(sessions) => (
          <ul className={classes.items}>
            {sessions.map((session) => (
              <li key={session.uuid}>
                <SessionEntry session={session} />
                {session.current ? <State tone="good">This browser</State> : <End session={session} />}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

const openings: Readonly<Record<Session['openedWith'], string>> = {
  signInLink: 'a sign-in link',
  invitation: 'an invitation',
  passkey: 'a passkey',
  provider: 'an identity provider',
};

const SessionEntry = ({ session }: { readonly session: Session }) => {
  const { userAgent, address, openedWith, createdAt, lastUsedAt, expiresAt } = session;
  return (
    <div className={classes.item}>
      <Text fw={600} className={classes.name} title={userAgent}>
        {browserOf(userAgent)}
        {address !== undefined && ` from ${address}`}
      </Text>
      <Text size="sm" c="dimmed">
        Signed in with {openings[openedWith]} <span title={formatDateTime(createdAt)}>{formatRelative(createdAt)}</span>
        , last used <span title={formatDateTime(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>, expires{' '}
        {formatDateTime(expiresAt)} at the latest
      </Text>
    </div>
  );
};

const End = ({ session: { uuid, userAgent } }: { readonly session: Session }) => (
  <ActionButton
    size="compact-xs"
    action={{
      label: 'End session',
      name: `End session of ${browserOf(userAgent)}`,
      run: () => api.sessions.endSession({ params: { uuid } }),
      done: 'Session ended.',
      refresh: sessionsQuery.queryKey,
    }}
  />
);

const EndOtherSessions = () => (
  <ActionButton
    size="compact-sm"
    action={{
      label: 'End other sessions',
      run: () => api.sessions.endOtherSessions({}),
      done: 'All other sessions ended.',
      refresh: sessionsQuery.queryKey,
      ask: {
        title: 'End all other sessions?',
        children: 'Other browsers must sign in again. This session stays open.',
      },
    }}
  />
);
