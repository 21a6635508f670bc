// What every client needs: the directory URL, and whether it can be used.
import { Button, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { ActionButton } from '../../kit/actions.tsx';
import { useCopy } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './directory.module.css';
import { chooseRaProfile } from './profile-actions.tsx';
import { verdictOf } from './profile-state.tsx';
import type { Profile } from './shapes.ts';

export function Directory({ profile }: { readonly profile: Profile }) {
  const { directoryUrl, uuid } = profile;
  const { why } = verdictOf(profile);
  return (
    <Panel>
      <div className={classes.strip}>
        <div className={classes.url}>
          <Text size="xs" c="dimmed" mb={2}>
            Directory URL
          </Text>
          {directoryUrl === undefined ? (
            <Text fw={550}>None: no RA profile is chosen</Text>
          ) : (
            <span className={classes.address}>{directoryUrl}</span>
          )}
        </div>
        {directoryUrl === undefined ? <ActionButton action={chooseRaProfile(uuid)} /> : <CopyUrl url={directoryUrl} />}
      </div>
      {why !== undefined && directoryUrl !== undefined && (
        <Text c="var(--warn)" size="sm" className={classes.note}>
          {why}
        </Text>
      )}
    </Panel>
  );
}

function CopyUrl({ url }: { readonly url: string }) {
  const { isCopied, copy, byHand } = useCopy(url);
  return (
    <>
      <Button
        variant={isCopied ? 'light' : 'filled'}
        leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        onClick={copy}
      >
        {isCopied ? 'Copied' : 'Copy URL'}
      </Button>
      {byHand}
    </>
  );
}
