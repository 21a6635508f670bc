// The fields of a credential, for a new one and for one that is changed.
import type { CredentialDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { DescriptionField, NameField } from '../../kit/name-field.tsx';
import { ObjectForm } from '../../kit/object-form.tsx';
import { paths } from '../../kit/paths.ts';
import { useObjectForm } from '../../kit/use-object-form.ts';
import { FormSection } from '../../ui/form-section.tsx';

export function CredentialForm({ credential }: { readonly credential?: CredentialDto }) {
  const form = useObjectForm({
    what: 'credential',
    paths: paths.credentials,
    object: credential,
    start: { name: credential?.name ?? '', description: credential?.description ?? '' },
    create: (values) => api.credentials.createCredential({ body: values }),
    update: (uuid, values) => api.credentials.editCredential({ params: { uuid }, body: values }),
    refresh: [['credentials']],
  });
  return (
    <ObjectForm form={form}>
      <FormSection title="Credential" description="__noun__: say what is entered here.">
        <NameField form={form} isNew={!credential} />
        <DescriptionField form={form} />
      </FormSection>
    </ObjectForm>
  );
}
