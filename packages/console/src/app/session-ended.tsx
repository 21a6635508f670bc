// Dialog with sign-in instructions, shown when the user's session has ended. The page behind it keeps its state and can
// be used again once the same user has signed in.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { onSignIn, profileQuery } from '../api/session.ts';
import { paths } from '../kit/paths.ts';
import { Code } from '../ui/code.tsx';
import { Rejection } from '../ui/rejection.tsx';
import { SIGN_IN_COMMAND } from './signed-out.tsx';

/** `was`: name of the user who was signed in. */
export function SessionEnded({ was }: { readonly was: string }) {
  const { goOn, isAsking, problem } = useResume();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      // Shown above any other dialog on the page.
      zIndex={1000}
      overlayProps={{ backgroundOpacity: 0.5, blur: 6 }}
      title={<Text fw={650}>Your session has ended</Text>}
    >
      <Stack>
        <Text>
          This page keeps everything that you entered.{' '}
          <Anchor href={paths.signIn(paths.start)} underline="always" target="_blank" rel="noopener">
            Sign in with a passkey in another tab
          </Anchor>
          , or run this command on the platform host and open the link it prints in another tab:
        </Text>
        <Code place="Shell" text={SIGN_IN_COMMAND} what="Command" />
        {isSignedOut(problem) ? (
          <Text role="alert" size="sm">
            This browser is not signed in yet. Sign in using another tab, then return to this page.
          </Text>
        ) : (
          <Rejection error={problem} />
        )}
        <Group justify="space-between">
          <Text c="dimmed" size="sm">
            After you sign in as {was}, this page continues automatically.
          </Text>
          <Button loading={isAsking} onClick={() => void goOn()}>
            Continue
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * Refetches the user when the button is pressed, when the user signs in on a different tab, and (as for any query) when
 * the window gets focus. Polling would count as hundreds of failed authentications a day.
 */
function useResume() {
  const queries = useQueryClient();
  const { refetch, isFetching: isAsking } = useQuery(profileQuery);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => onSignIn(() => void refetch()), [refetch]);
  // Queries that failed while this dialog was open are refetched when it closes.
  useEffect(
    () => () => void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' }),
    [queries],
  );
  const resume = async (): Promise<void> => setProblem((await refetch()).error);
  return { goOn: resume, isAsking, problem };
}
