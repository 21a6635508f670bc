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
  return (
    <TextInput
      label="Name"
      description={isNew ? hint : 'The name cannot be changed.'}
      required={isNew}
      readOnly={!isNew}
      variant={isNew ? 'default' : 'unstyled'}
      autoComplete="off"
      spellCheck={false}
      {...form.text('name')}
    />
  );
}

export function DescriptionField({
  form,
}: {
  readonly form: Pick<ObjectFormModel<{ readonly description: string }>, 'text'>;
}) {
  return (
    <Textarea label="Description" description="What it is for." autosize minRows={2} {...form.text('description')} />
  );
}
