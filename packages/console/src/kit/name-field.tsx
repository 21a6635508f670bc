// The name of an object, which cannot be changed later, and its description.
import { Textarea, TextInput } from '@mantine/core';
import type { ObjectFormModel } from './use-object-form.ts';

export interface NameFieldProps {
  readonly form: Pick<ObjectFormModel<{ readonly name: string }>, 'text'>;
  /** The object is being created. */
  readonly isNew: boolean;
  /** What a name may hold, or where it is used. */
  readonly hint?: string;
}

export function NameField({ form, isNew, hint }: NameFieldProps) {
  if (!isNew) return <FixedName label="Name" name={form.text('name').value} />;
  return (
    <TextInput label="Name" description={hint} required autoComplete="off" spellCheck={false} {...form.text('name')} />
  );
}

/** In as many lines as it needs: a name that was chosen elsewhere may be long. */
export const FixedName = ({ label, name }: { readonly label: string; readonly name: string }) => (
  <Textarea
    label={label}
    description={`The ${label.toLowerCase()} cannot be changed.`}
    readOnly
    variant="unstyled"
    autosize
    dir="auto"
    value={name}
  />
);

export function DescriptionField({
  form,
}: {
  readonly form: Pick<ObjectFormModel<{ readonly description: string }>, 'text'>;
}) {
  return (
    <Textarea label="Description" description="What it is for." autosize minRows={2} {...form.text('description')} />
  );
}
