// Asks for what activates a token, such as its code. It is sent to the provider and kept nowhere.
import { Text } from '@mantine/core';
import type { BaseAttributeDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { FormDialog, FormDialogFrame } from '../../kit/form-dialog.tsx';
import { Reading } from '../../kit/reading.tsx';
import { activationDefinitionsQuery } from '../../queries/tokens.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';

export interface ActivateDialogProps {
  readonly token: { readonly uuid: string; readonly name: string };
  readonly onClose: () => void;
}

/** Rendered only while it is open. */
export function ActivateDialog({ token, onClose }: ActivateDialogProps) {
  const definitions = useQuery(activationDefinitionsQuery(token.uuid));
  if (definitions.data) return <ActivationForm token={token} definitions={definitions.data} onClose={onClose} />;
  return (
    <FormDialogFrame title={titleOf(token)} onClose={onClose}>
      <Reading of={definitions} what="what activates the token">
        {() => null}
      </Reading>
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
        notify.done(`${token.name} is activated.`);
      }}
    >
      <Text size="sm" c="dimmed">
        {definitions.length === 0
          ? 'The token asks for nothing. Its keys can be used once it is activated.'
          : 'What you enter is sent to the token and kept nowhere.'}
      </Text>
      <AttributeFields form={form} />
    </FormDialog>
  );
}
