// Dialog for selecting the objects that belong to the displayed object.
import { MultiSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../ui/notices.tsx';
import { FormDialog } from './form-dialog.tsx';

/** Maximum number of choices shown. Typing finds the others. */
const SHOWN = 50;

export interface AssignDialogProps {
  readonly title: string;
  readonly label: string;
  readonly description: string;
  readonly choices: readonly { readonly uuid: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onClose: () => void;
  readonly save: (uuids: string[]) => Promise<unknown>;
  /** Notice shown on success. */
  readonly done: string;
}

/** Render this only while the dialog is open. */
export function AssignDialog(props: AssignDialogProps) {
  const { title, label, description, choices, chosen, onClose, save, done } = props;
  const [uuids, setUuids] = useState([...chosen]);
  const queries = useQueryClient();
  return (
    <FormDialog
      title={title}
      submitLabel="Save"
      onClose={onClose}
      submit={async () => {
        await save(uuids);
        // All data depends on permissions, including the current user's.
        await queries.invalidateQueries();
        notify.done(done);
      }}
    >
      <MultiSelect
        data-autofocus
        label={label}
        description={description}
        searchable
        hidePickedOptions
        limit={SHOWN}
        nothingFoundMessage="Nothing found"
        data={choices.map(({ uuid: value, name }) => ({ value, label: name }))}
        value={uuids}
        onChange={setUuids}
      />
    </FormDialog>
  );
}
