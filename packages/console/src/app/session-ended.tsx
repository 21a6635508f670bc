// Over the page of somebody whose session has ended: how to sign in again. The page below stays as it is and goes on
// afterwards, with the same user.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSignedOut } from '../api/query-client.ts';
import { onSignIn, profileQuery } from '../api/session.ts';
import { paths } from '../kit/paths.ts';
import { Code } from '../ui/code.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { SIGN_IN_COMMAND } from './signed-out.tsx';

/** `was`: the name of the user who was signed in. */
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
      // Over a dialog of the page.
      zIndex={1000}
      overlayProps={{ backgroundOpacity: 0.5, blur: 6 }}
      title={<Text fw={650}>Your session has ended</Text>}
    >
      <Stack>
        <Text>
          This page stays as it is, with everything that you entered.{' '}
          <Anchor href={paths.signIn(paths.start)} underline="always" target="_blank" rel="noopener">
            Sign in with a passkey in another tab
          </Anchor>
          , or run this command on the machine that runs the platform and open the link it prints in another tab:
        </Text>
        <Code place="Shell" text={SIGN_IN_COMMAND} what="Command" />
        {isSignedOut(problem) ? (
          <Text role="alert" size="sm">
            This browser is not signed in yet. Sign in in another tab, and come back.
          </Text>
        ) : (
          <Refusal error={problem} />
        )}
        <Group justify="space-between">
          <Text c="dimmed" size="sm">
            Once you are signed in as {was}, this page goes on by itself.
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
 * Asks who is signed in: by the button, when another tab has signed in, and (as for any query) when the window gets the
 * focus. Asking by the clock would be counted as refused credentials, hundreds a day.
 */
function useGoOn() {
  const queries = useQueryClient();
  const { refetch, isFetching: isAsking } = useQuery(profileQuery);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => onSignIn(() => void refetch()), [refetch]);
  // What could not be fetched meanwhile is fetched when this dialog goes.
  useEffect(
    () => () => void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' }),
    [queries],
  );
  const goOn = async (): Promise<void> => setProblem((await refetch()).error);
  return { goOn, isAsking, problem };
}
