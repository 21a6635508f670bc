// Dialog for naming a view and choosing whether the list opens with it.
import { Checkbox, TextInput } from '@mantine/core';
import { MAX_SAVED_VIEW_NAME_LENGTH } from '@signetry/contract';
import { useState } from 'react';
import { FormDialog } from '../../kit/form-dialog.tsx';

export interface NamedView {
  readonly name: string;
  readonly isDefault: boolean;
}

export interface NameViewDialogProps extends NamedView {
  readonly title: string;
  readonly submitLabel: string;
  readonly save: (view: NamedView) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Render this only while the dialog is open. */
export function NameViewDialog({ title, submitLabel, save, onClose, ...initial }: NameViewDialogProps) {
  const [name, setName] = useState(initial.name);
  const [isDefault, setDefault] = useState(initial.isDefault);
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      onClose={onClose}
      isReady={name.trim() !== ''}
      submit={() => save({ name: name.trim(), isDefault })}
    >
      <TextInput
        label="Name"
        description="A view stores the search, filters, sort order and columns. Only you can see it."
        required
        data-autofocus
        autoComplete="off"
        maxLength={MAX_SAVED_VIEW_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        label="Use this view by default"
        checked={isDefault}
        onChange={(event) => setDefault(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
