// The fields of an authority, new or present: its name, and what its connector asks for.
import type { AuthorityInstanceDto, BaseAttributeDto } from '@signetry/contract';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { keyOf, type AuthorityKind } from './kinds.ts';

export interface AuthorityFormProps {
  /** Absent until one is chosen. */
  readonly kind: AuthorityKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent while it is being made. */
  readonly authority?: AuthorityInstanceDto;
  /** The choice of the kind, of a new one. */
  readonly kindField?: ReactNode;
  /** In place of the attributes while there are none to show. */
  readonly instead?: ReactNode;
}

export function AuthorityForm({ kind, definitions, authority, kindField, instead }: AuthorityFormProps) {
  const form = useObjectForm({
    start: { name: authority?.name ?? '' },
    useFurther: () =>
      useAttributeForm({ source: kind ? keyOf(kind) : '', definitions, present: authority?.attributes }),
    save: async (values, further) => {
      const attributes = further.request();
      if (authority) {
        await api.authorities.editAuthorityInstance({ params: { uuid: authority.uuid }, body: { attributes } });
        return { notice: `${authority.name} was saved.`, to: paths.authorities.one(authority.uuid) };
      }
      if (!kind) throw new Error('No kind of authority is chosen.');
      const name = values.name.trim();
      const body = { name, connectorUuid: kind.connectorUuid, kind: kind.kind, attributes };
      const { uuid } = await api.authorities.createAuthorityInstance({ body });
      return { notice: `${name} was created.`, to: paths.authorities.one(uuid) };
    },
    // A new authority may become a choice of the next one.
    refresh: [['authorities'], ['connectors', 'definitions']],
  });
  return (
    <ObjectForm
      form={form}
      label={authority ? `Edit ${authority.name}` : 'New authority'}
      submitLabel={authority ? 'Save' : 'Create'}
      cancelTo={authority ? paths.authorities.one(authority.uuid) : paths.authorities.list}
      missing={kind ? undefined : 'Choose a kind first.'}
    >
      <FormSection title="Authority">
        {kindField}
        <NameField form={form} isNew={!authority} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
    </ObjectForm>
  );
}
