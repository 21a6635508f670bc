// Dialog for entering a token's activation data, such as its PIN. The data is sent to the provider and not stored.
import { Text } from '@mantine/core';
import type { BaseAttributeDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { FormDialog, FormDialogFrame } from '../../kit/form-dialog.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { activationDefinitionsQuery } from '../../queries/tokens.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';

export interface ActivateDialogProps {
  readonly token: { readonly uuid: string; readonly name: string };
  readonly onClose: () => void;
}

/** Render this only while the dialog is open. */
export function ActivateDialog({ token, onClose }: ActivateDialogProps) {
  const definitions = useQuery(activationDefinitionsQuery(token.uuid));
  if (definitions.data) return <ActivationForm token={token} definitions={definitions.data} onClose={onClose} />;
  return (
    <FormDialogFrame title={titleOf(token)} onClose={onClose}>
      <QueryView of={definitions} what="the activation settings of the token">
        {() => null}
      </QueryView>
    </FormDialogFrame>
  );
}

const titleOf = ({ name }: ActivateDialogProps['token']): string => `Activate ${name}`;

function ActivationForm(props: ActivateDialogProps & { readonly definitions: readonly BaseAttributeDto[] }) {
  const { token, definitions, onClose } = props;
  const form = useAttributeForm({ source: token.uuid, definitions });
  const queries = useQueryClient();
  return (
    <FormDialog
      title={titleOf(token)}
      submitLabel="Activate"
      onClose={onClose}
      further={form}
      submit={async () => {
        await api.tokens.activateTokenInstance({ params: { uuid: token.uuid }, body: form.request() });
        await queries.invalidateQueries({ queryKey: ['tokens'] });
        notify.done(`${token.name} was activated.`);
      }}
    >
      <Text size="sm" c="dimmed">
        {definitions.length === 0
          ? 'The token does not require activation data. Its keys can be used after activation.'
          : 'Activation data is sent to the token and not stored.'}
      </Text>
      <AttributeFields form={form} />
    </FormDialog>
  );
}
