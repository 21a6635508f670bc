// The keys of the console.
import { Modal, Text } from '@mantine/core';
import { isApple } from './is-apple.ts';
import classes from './key-help-dialog.module.css';

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[`${isApple ? '⌘' : 'Ctrl'} K`, '/'], 'Search, go to a page, do something'],
  [['?'], 'Show these keys'],
  [['Tab'], 'The next link, button or field; the first one skips the menu'],
  [['↑', '↓'], 'Choose among what was found'],
  [['Enter'], 'Open it; press the button'],
  [['Space'], 'Select a row of a list'],
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
