// Content type of an attribute; it cannot be changed later.
import { Select, TextInput } from '@mantine/core';
import type { AttributeContentType } from '@signetry/contract';
import { contentTypeChoices, describeContentType } from './texts.ts';

export interface ContentTypeFieldProps {
  readonly isNew: boolean;
  readonly value: AttributeContentType;
  readonly onChange: (value: AttributeContentType) => void;
}

export function ContentTypeField({ isNew, value, onChange }: ContentTypeFieldProps) {
  if (!isNew)
    return (
      <TextInput
        label="Content type"
        description="Cannot be changed."
        readOnly
        variant="unstyled"
        value={describeContentType(value)}
      />
    );
  return (
    <Select
      label="Content type"
      required
      allowDeselect={false}
      data={contentTypeChoices}
      value={value}
      onChange={(chosen) => onChange(contentTypeChoices.find((each) => each.value === chosen)?.value ?? 'string')}
    />
  );
}
