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
    what: 'authority',
    paths: paths.authorities,
    object: authority,
    start: { name: authority?.name ?? '' },
    useFurther: () =>
      useAttributeForm({ source: kind ? keyOf(kind) : '', definitions, present: authority?.attributes }),
    create: async ({ name }, further) => {
      if (!kind) throw new Error('No kind of authority is chosen.');
      const place = { connectorUuid: kind.connectorUuid, kind: kind.kind };
      const body = { name: name.trim(), ...place, attributes: further.request() };
      return api.authorities.createAuthorityInstance({ body });
    },
    update: (uuid, _values, further) =>
      api.authorities.editAuthorityInstance({ params: { uuid }, body: { attributes: further.request() } }),
    // A new authority may become a choice of the next one.
    refresh: [['authorities'], ['connectors', 'definitions']],
  });
  return (
    <ObjectForm form={form} missing={kind ? undefined : 'Choose a kind first.'}>
      <FormSection title="Authority">
        {kindField}
        <NameField form={form} isNew={!authority} />
      </FormSection>
      {instead ?? <AttributeForm form={form.further} title="Settings" />}
    </ObjectForm>
  );
}
