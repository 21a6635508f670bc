// URL for configuring clients, in large type with a copy button.
import { Button, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './url-strip.module.css';
import { useCopy } from './copy.tsx';
import { Panel } from './panel.tsx';

export interface UrlStripProps {
  /** Label of the URL, e.g. `Directory URL`. */
  readonly label: string;
  /** Absent if there is nothing to serve. */
  readonly url: string | undefined;
  /** Shown in place of a missing URL. */
  readonly none: string;
  /** Action that makes the URL available. */
  readonly remedy: ReactNode;
  /** Why the URL exists but cannot be used. */
  readonly why: string | undefined;
}

export function UrlStrip({ label, url, none, remedy, why }: UrlStripProps) {
  return (
    <Panel>
      <div className={classes.strip}>
        <div className={classes.url}>
          <Text size="xs" c="dimmed" mb={2}>
            {label}
          </Text>
          {url === undefined ? <Text fw={550}>{none}</Text> : <span className={classes.address}>{url}</span>}
        </div>
        {url === undefined ? remedy : <CopyUrl url={url} />}
      </div>
      {why !== undefined && url !== undefined && (
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
