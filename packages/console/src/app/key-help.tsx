// The keys of the console, shown by "?".
import { Modal, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Facts } from '../ui/facts.tsx';
import { makeOpened } from '../ui/opened.ts';

const help = makeOpened();
export const openKeys = help.open;

export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const keys: readonly (readonly [keys: string, what: string])[] = [
  [`${isApple ? '⌘' : 'Ctrl'} K, or /`, 'Search, go to a page, do something'],
  ['?', 'Show these keys'],
  ['Tab', 'The next link, button or field; the first one skips the menu'],
  ['↑ ↓', 'Choose among what was found'],
  ['Enter', 'Open it; press the button'],
  ['Space', 'Select a row of a list'],
  ['Esc', 'Close a dialog or a menu'],
];

export function KeyHelp() {
  const isOpen = help.useIsOpen() ?? false;
  // With and without Shift, as the layout has it.
  useHotkeys([
    ['shift+?', help.open],
    ['?', help.open],
  ]);
  return (
    <Modal opened={isOpen} onClose={help.close} title={<Text fw={650}>Keyboard shortcuts</Text>}>
      <Facts facts={keys.map(([name, value]) => ({ name, value }))} />
    </Modal>
  );
}
