// Copy button. Browsers provide the clipboard API only over HTTPS; elsewhere, the deprecated copy command is tried. If
// that fails as well, the text is shown selected.
import { ActionIcon, Modal, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';

const SHOWN_MS = 2_000;

export interface CopyModel {
  readonly isCopied: boolean;
  readonly copy: () => void;
  /** Dialog for copying manually, to be rendered next to the button. */
  readonly byHand: ReactNode;
}

export function useCopy(text: string): CopyModel {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return {
    isCopied: outcome === 'copied',
    copy: () => void copyToClipboard(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'refused')),
    byHand: <ManualCopyDialog text={text} opened={outcome === 'refused'} onClose={() => setOutcome(undefined)} />,
  };
}

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const { isCopied, copy, byHand } = useCopy(text);
  return (
    <>
      <Tooltip label={isCopied ? 'Copied' : `Copy ${what.toLowerCase()}`}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${what.toLowerCase()}`} onClick={copy}>
          {isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
      {byHand}
    </>
  );
}

function ManualCopyDialog(props: { readonly text: string; readonly opened: boolean; readonly onClose: () => void }) {
  const { text, opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>Copy the text manually</Text>}>
      <Stack>
        <Text>
          This browser does not allow pages at this URL to write to the clipboard. The text is selected: press Ctrl+C,
          or Cmd+C on a Mac, or use the browser's menu.
        </Text>
        <Textarea
          aria-label="Text to copy"
          data-autofocus
          readOnly
          autosize
          maxRows={10}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Stack>
    </Modal>
  );
}

async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not available over plain HTTP, or rejected.
    return copyBySelection(text);
  }
}

/** Copies with the deprecated command, which browsers still support without the clipboard API. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.style.cssText = 'position: fixed; top: 0; opacity: 0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
