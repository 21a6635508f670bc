// The keyboard shortcuts of the console.
import { Modal, Text } from '@mantine/core';
import { isApple } from './is-apple.ts';
import classes from './key-help-dialog.module.css';

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[`${isApple ? '⌘' : 'Ctrl'} K`, '/'], 'Search, open a page or run an action'],
  [['?'], 'Show keyboard shortcuts'],
  [['Tab'], 'Move to the next link, button or field; the first one skips the menu'],
  [['↑', '↓'], 'Move through the results'],
  [['Enter'], 'Open the selected result or press the button'],
  [['Space'], 'Select a row in a list'],
  [['Esc'], 'Close a dialog or a menu'],
];

export function KeyHelpDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>Keyboard shortcuts</Text>}>
      <dl className={classes.keys}>
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
