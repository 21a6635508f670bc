// Edits and clears a single value of an object's custom attributes.
import type { Resource, ResponseAttributeDto } from '@signetry/contract';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { DialogAction, RunAction } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import type { Needs, Right } from '../../kit/rights.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import type { FieldDefinition } from '../../ui/attributes/attribute-values.ts';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';

interface ObjectValue {
  readonly resource: Resource;
  readonly uuid: string;
  readonly refresh: QueryKey;
  readonly needs?: Needs;
  readonly definition: FieldDefinition;
  readonly value: ResponseAttributeDto | undefined;
}

const isSingleRight = (needs: Needs): needs is Right => typeof needs[0] === 'string';

const needsOf = ({ resource, uuid, definition, needs = [] }: ObjectValue): readonly Right[] => [
  [resource, 'update', uuid],
  ['attributes', 'members', definition.uuid],
  ...(isSingleRight(needs) ? [needs] : needs),
];

const paramsOf = ({ resource, uuid, definition }: ObjectValue) => ({
  resourceName: resource,
  objectUuid: uuid,
  attributeUuid: definition.uuid,
});

export const editValueAction = (of: ObjectValue): DialogAction => ({
  label: 'Edit',
  name: `Edit ${of.definition.properties.label}`,
  needs: needsOf(of),
  dialog: ({ opened, onClose }) => opened && <ValueDialog of={of} onClose={onClose} />,
});

export const clearAction = (of: ObjectValue): RunAction => {
  const { label } = of.definition.properties;
  return {
    label: 'Clear',
    name: `Clear ${label}`,
    needs: needsOf(of),
    isGrave: true,
    run: () => api.customAttributes.deleteAttributeContentForResource({ params: paramsOf(of) }),
    done: `${label} was cleared.`,
    refresh: of.refresh,
    ask: {
      title: `Clear ${label}?`,
      children: 'The object will no longer have a value for this attribute. This cannot be undone.',
      keep: 'Keep it',
    },
  };
};

function ValueDialog({ of, onClose }: { readonly of: ObjectValue; readonly onClose: () => void }) {
  const { definition, value, refresh } = of;
  const queries = useQueryClient();
  const form = useAttributeForm({
    source: definition.uuid,
    // The dialog contains only one field, which is named in the dialog's title.
    definitions: [definition],
    present: value && [value],
  });
  return (
    <FormDialog
      title={`Edit ${definition.properties.label}`}
      submitLabel="Save"
      onClose={onClose}
      further={form}
      submit={async () => {
        const body = form.request().flatMap(({ content }) => content);
        await api.customAttributes.updateAttributeContentForResource({ params: paramsOf(of), body });
        await queries.invalidateQueries({ queryKey: refresh });
        notify.done(`${definition.properties.label} was saved.`);
      }}
    >
      <AttributeFields form={form} />
    </FormDialog>
  );
}
