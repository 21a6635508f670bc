// The fields of an authority, new or present: its name, and what its connector asks for.
import { TextInput } from '@mantine/core';
import type { AuthorityInstanceDto, BaseAttributeDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { AttributeForm } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Form } from '../../ui/form.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { notify } from '../../ui/notices.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
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
  const [name, setName] = useState(authority?.name ?? '');
  const attributes = useAttributeForm({
    source: kind ? keyOf(kind) : '',
    definitions,
    present: authority?.attributes,
  });
  const submission = useSubmission(['name'], attributes);
  const queries = useQueryClient();
  const navigate = useNavigate();

  const save = async (): Promise<string> => {
    const request = attributes.request();
    if (authority) {
      await api.authorities.editAuthorityInstance({ params: { uuid: authority.uuid }, body: { attributes: request } });
      return authority.uuid;
    }
    if (!kind) throw new Error('There is no connector to make it at.');
    const body = { name: name.trim(), connectorUuid: kind.connectorUuid, kind: kind.kind, attributes: request };
    return (await api.authorities.createAuthorityInstance({ body })).uuid;
  };
  const submit = async (): Promise<(() => void) | undefined> => {
    if (!attributes.check()) return undefined;
    const uuid = await submission.send(save);
    if (uuid === undefined) return undefined;
    await queries.invalidateQueries({ queryKey: ['authorities'] });
    // A new authority may become a choice of the next one.
    await queries.invalidateQueries({ queryKey: ['connectors', 'definitions'] });
    return () => {
      notify.done(authority ? `${name} was saved.` : `${name} was made.`);
      void navigate({ to: paths.authority(uuid) });
    };
  };
  return (
    <Form
      label={authority ? `Edit ${authority.name}` : 'New authority'}
      submitLabel={authority ? 'Save' : 'Create'}
      cancelTo={authority ? paths.authority(authority.uuid) : paths.authorities}
      isPending={submission.isPending}
      isDirty={attributes.isDirty || name !== (authority?.name ?? '')}
      refusal={submission.refusal}
      missing={kind ? (name.trim() === '' ? 'It needs a name.' : undefined) : 'Choose its kind first.'}
      onSubmit={submit}
    >
      <FormSection title="The authority" description={authority ? undefined : 'Who signs, and how people call it.'}>
        {kindField}
        <TextInput
          label="Name"
          description={authority ? 'It cannot be changed.' : 'How people call it.'}
          required={!authority}
          readOnly={authority !== undefined}
          variant={authority ? 'unstyled' : 'default'}
          value={name}
          error={submission.problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
      </FormSection>
      {instead ?? <AttributeForm form={attributes} title="Its settings" />}
    </Form>
  );
}
