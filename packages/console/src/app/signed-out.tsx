// Sign-in instructions.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { paths } from '../kit/paths.ts';
import { Code } from '../ui/code.tsx';
import classes from './gate.module.css';

export const SIGN_IN_COMMAND = 'npm run --silent signetry -- sign-in';

export function SignedOut() {
  return (
    <main className={classes.place}>
      <div className={classes.card}>
        <img src="/console/icon.svg" alt="" width={44} height={44} />
        <Stack gap="sm">
          <Title order={1}>Sign in to Signetry</Title>
          <Group>
            <Button component="a" href={paths.signIn(location.pathname + location.search)}>
              Sign in with a passkey
            </Button>
          </Group>
          <Text c="dimmed">
            If you have no passkey, ask an administrator for an invitation. Or run this command on the platform host and
            open the link it prints in this browser:
          </Text>
          <Code place="Shell" text={SIGN_IN_COMMAND} what="Command" />
          <Text c="dimmed" size="sm">
            The link works once and expires after 15 minutes. The platform also prints one at each start. If your
            browser presents your client certificate, you are signed in without a link.
          </Text>
        </Stack>
      </div>
    </main>
  );
}
