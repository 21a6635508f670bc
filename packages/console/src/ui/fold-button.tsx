// Collapses the content below a heading. The whole heading is clickable; its container needs `position: relative`.
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import classes from './fold-button.module.css';

export interface FoldButtonProps {
  /** Accessible name of the collapsed content. */
  readonly label: string;
  /** The id of the collapsed element. */
  readonly controls: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function FoldButton({ label, controls, isOpen, onToggle }: FoldButtonProps) {
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      className={classes.fold}
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  );
}
