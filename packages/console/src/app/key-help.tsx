// Opens the keyboard shortcuts with "?" or from a menu. The dialog is loaded when it is first opened.
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { createOpenState } from '../ui/open-state.ts';

const help = createOpenState();
export const openKeyHelp = help.open;

const KeyHelpDialog = lazy(async () => ({ default: (await import('./key-help-dialog.tsx')).KeyHelpDialog }));

export function KeyHelp() {
  const isOpen = help.useIsOpen();
  // Depending on the keyboard layout, "?" is typed with or without Shift.
  useHotkeys([
    ['shift+?', help.open],
    ['?', help.open],
  ]);
  return <Suspense>{isOpen !== undefined && <KeyHelpDialog opened={isOpen} onClose={help.close} />}</Suspense>;
}
