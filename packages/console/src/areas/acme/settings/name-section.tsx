// What the profile is called, and what for.
import { Textarea, TextInput } from '@mantine/core';
import { FormSection } from '../../../ui/form-section.tsx';
import type { SectionProps } from './section.ts';

export function NameSection({ values, isNew, set, errorOf }: SectionProps) {
  return (
    <FormSection title="The profile" description="Its name stands in the directory URL, so it cannot be changed later.">
      {isNew && (
        <TextInput
          label="Name"
          description="Letters, digits, “-”, “.”, “_” and “~”, e.g. web"
          required
          data-autofocus
          value={values.name}
          error={errorOf('name')}
          onChange={(event) => set('name', event.currentTarget.value)}
        />
      )}
      <Textarea
        label="Description"
        description="For whom or what it is"
        autosize
        minRows={2}
        value={values.description}
        error={errorOf('description')}
        onChange={(event) => set('description', event.currentTarget.value)}
      />
    </FormSection>
  );
}
