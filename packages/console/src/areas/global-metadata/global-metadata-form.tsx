// Form for new or existing global metadata.
import { Checkbox, TextInput } from '@mantine/core';
import type { AttributeContentType } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { ContentTypeField } from '../custom-attributes/content-type-field.tsx';
import type { GlobalMetadata } from './shapes.ts';

interface Values {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly group: string;
  readonly contentType: AttributeContentType;
  readonly visible: boolean;
}

const newValues: Values = { name: '', label: '', description: '', group: '', contentType: 'string', visible: true };

/** Absent for new metadata. */
export function GlobalMetadataForm({ metadata }: { readonly metadata?: GlobalMetadata }) {
  const form = useObjectForm({
    what: 'global metadata',
    paths: paths.globalMetadata,
    object: metadata,
    start: metadata ? valuesOf(metadata) : newValues,
    create: ({ name, contentType, ...values }) =>
      api.globalMetadata.createGlobalMetadata({ body: { name: name.trim(), contentType, ...requestFieldsOf(values) } }),
    update: (uuid, { name: _name, contentType: _type, ...values }) =>
      api.globalMetadata.editGlobalMetadata({ params: { uuid }, body: requestFieldsOf(values) }),
    refresh: [['globalMetadata']],
  });
  return (
    <ObjectForm form={form} missing={form.values.label.trim() === '' ? 'Enter a label.' : undefined}>
      <FormSection title="Global metadata">
        <NameField form={form} isNew={!metadata} hint="Name that connectors use." />
        <TextInput label="Label" description="Name shown to users." required {...form.text('label')} />
        <DescriptionField form={form} />
        <ContentTypeField
          isNew={!metadata}
          value={form.values.contentType}
          onChange={(contentType) => form.set('contentType', contentType)}
        />
      </FormSection>
      <FormSection title="Display">
        <Checkbox
          label="Show on object pages"
          description="Shown on the pages of objects that have this metadata."
          {...form.flag('visible')}
        />
        <TextInput
          label="Heading"
          description="Metadata with the same heading is shown together."
          {...form.text('group')}
        />
      </FormSection>
    </ObjectForm>
  );
}

const valuesOf = (metadata: GlobalMetadata): Values => ({
  name: metadata.name,
  label: metadata.label,
  description: metadata.description,
  group: metadata.group ?? '',
  contentType: metadata.contentType,
  visible: metadata.visible ?? true,
});

const requestFieldsOf = ({ label, description, group, visible }: Omit<Values, 'name' | 'contentType'>) => ({
  label: label.trim(),
  description: description.trim(),
  ...(group.trim() === '' ? {} : { group: group.trim() }),
  visible,
});
