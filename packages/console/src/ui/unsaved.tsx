// Protects unsaved changes: asks for confirmation before leaving the form or closing the tab.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

export interface Unsaved {
  /** Render this anywhere in the form. */
  readonly guard: React.ReactNode;
  /** Call this when the changes are saved, before leaving the form. */
  readonly release: () => void;
}

export interface UnsavedTexts {
  readonly question: string;
  readonly consequence: string;
}

const usualWords: UnsavedTexts = {
  question: 'Leave without saving?',
  consequence: 'Your changes will be lost.',
};

export function useUnsaved(isChanged: boolean, words: UnsavedTexts = usualWords): Unsaved {
  const blocks = useRef(isChanged);
  useEffect(() => {
    blocks.current = isChanged;
  }, [isChanged]);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => blocks.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => blocks.current,
    withResolver: true,
  });
  return {
    release: () => {
      blocks.current = false;
    },
    guard: (
      <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={<Text fw={650}>{words.question}</Text>}>
        <Stack>
          <Text>{words.consequence}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => proceed?.()}>
              Leave
            </Button>
            <Button onClick={() => reset?.()}>Stay</Button>
          </Group>
        </Stack>
      </Modal>
    ),
  };
}
