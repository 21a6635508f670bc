// Fields for an object's name, which cannot be changed later, and its description.
import { Textarea, TextInput } from '@mantine/core';
import type { ObjectFormModel } from './use-object-form.ts';

export interface NameFieldProps {
  readonly form: Pick<ObjectFormModel<{ readonly name: string }>, 'text'>;
  /** Whether the object is being created. */
  readonly isNew: boolean;
  /** Permitted characters, or where the name is used. */
  readonly hint?: string;
}

export function NameField({ form, isNew, hint }: NameFieldProps) {
  if (!isNew) return <FixedName label="Name" name={form.text('name').value} />;
  return (
    <TextInput label="Name" description={hint} required autoComplete="off" spellCheck={false} {...form.text('name')} />
  );
}

/** Shows the name as read-only text. It wraps, because names from other systems can be long. */
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
    <Textarea
      label="Description"
      description="Purpose, for other users."
      autosize
      minRows={2}
      {...form.text('description')}
    />
  );
}
