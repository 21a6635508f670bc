// Dialog for a user whose session has ended, with sign-in instructions. The page below keeps its state and continues
// once the same user has signed in again.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { onSignIn, profileQuery } from '../api/session.ts';
import { paths } from '../kit/paths.ts';
import { Code } from '../ui/code.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { SIGN_IN_COMMAND } from './signed-out.tsx';

/** `was`: name of the user who was signed in. */
export function SessionEnded({ was }: { readonly was: string }) {
  const { goOn, isAsking, problem } = useGoOn();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      // Above any dialog of the page.
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
          <Refusal error={problem} />
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
 * Refetches the user: on the button, when another tab has signed in, and (as for any query) when the window gets focus.
 * Polling would be counted as hundreds of failed authentications a day.
 */
function useGoOn() {
  const queries = useQueryClient();
  const { refetch, isFetching: isAsking } = useQuery(profileQuery);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => onSignIn(() => void refetch()), [refetch]);
  // Queries that failed in the meantime are refetched when this dialog closes.
  useEffect(
    () => () => void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' }),
    [queries],
  );
  const goOn = async (): Promise<void> => setProblem((await refetch()).error);
  return { goOn, isAsking, problem };
}
