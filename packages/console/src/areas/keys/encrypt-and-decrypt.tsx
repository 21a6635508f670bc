// Encrypts text or a small file with the key, and decrypts ciphertext.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { CIPHER_ATTRIBUTES, type BaseAttributeDto, type KeyAlgorithm } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { cipherDefinitionsQuery, type KeyOperationPath } from '../../queries/keys.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Panel } from '../../ui/panel.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { DataField, EncodedField } from './data-field.tsx';
import { defaultChoices } from './default-choices.ts';

interface EncryptAndDecryptProps {
  /**
   * Absent if the key cannot be used for this purpose or the user lacks the permission. At least one of the two items
   * is present.
   */
  readonly encrypting: KeyOperationPath | undefined;
  readonly decrypting: KeyOperationPath | undefined;
  readonly algorithm: KeyAlgorithm;
}

export function EncryptAndDecrypt(props: EncryptAndDecryptProps) {
  const item = props.encrypting ?? props.decrypting;
  const definitions = useQuery(cipherDefinitionsQuery(item, props.algorithm));
  return (
    <Panel title="Encrypt and decrypt">
      <Text size="sm" c="dimmed" mb="md">
        Test the key. Each use is recorded in its history and in the audit log; the data is not.
        {props.algorithm === 'RSA' && ' RSA can encrypt only short data, such as keys.'}
      </Text>
      <QueryView of={definitions} what="the encryption options">
        {(definitions) => <Trial {...props} definitions={definitions} />}
      </QueryView>
    </Panel>
  );
}

/** PKCS #1 v1.5 should be used only for applications that do not support anything else. */
const PREFERRED = {
  [CIPHER_ATTRIBUTES.scheme.name]: 'OAEP',
  [CIPHER_ATTRIBUTES.oaepMgf.name]: true,
};

interface TrialProps extends EncryptAndDecryptProps {
  readonly definitions: readonly BaseAttributeDto[];
}

function useTrial({ encrypting, decrypting, definitions }: TrialProps) {
  const source = (encrypting ?? decrypting)?.keyItemUuid ?? '';
  const form = useAttributeForm({ source, definitions, present: defaultChoices(definitions, PREFERRED) });
  const [sealed, setSealed] = useState('');
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['keys', 'history'] });
  const bodyOf = (data: string) => ({ cipherAttributes: form.request(), cipherData: [{ data }] });
  const decrypt = useMutation({
    mutationFn: async (params: KeyOperationPath) =>
      (await api.keyUse.decryptData({ params, body: bodyOf(sealed.trim()) })).decryptedData[0]?.data ?? '',
    onSettled,
  });
  const change = (next: string): void => {
    setSealed(next);
    decrypt.reset();
  };
  const encrypt = useMutation({
    mutationFn: ({ params, data }: { readonly params: KeyOperationPath; readonly data: string }) =>
      api.keyUse.encryptData({ params, body: bodyOf(data) }),
    onSuccess: ({ encryptedData }) => change(encryptedData[0]?.data ?? ''),
    onSettled,
  });
  return { form, sealed, change, encrypt, decrypt };
}

function Trial(props: TrialProps) {
  const { encrypting, decrypting } = props;
  const [data, setData] = useState('');
  const { form, sealed, change, encrypt, decrypt } = useTrial(props);
  return (
    <Stack>
      {encrypting && <DataField use="encrypt" onChange={setData} />}
      <AttributeFields form={form} />
      {encrypting && (
        <Group>
          <Button
            loading={encrypt.isPending}
            disabled={data === ''}
            onClick={() => form.check() && encrypt.mutate({ params: encrypting, data })}
          >
            Encrypt
          </Button>
        </Group>
      )}
      <Rejection error={encrypt.error} />
      <EncodedField
        label="Ciphertext"
        {...(decrypting && { description: 'The generated ciphertext, or ciphertext to decrypt.' })}
        value={sealed}
        onChange={change}
      />
      {decrypting && (
        <Group>
          <Button
            variant="default"
            loading={decrypt.isPending}
            disabled={sealed.trim() === ''}
            onClick={() => form.check() && decrypt.mutate(decrypting)}
          >
            Decrypt
          </Button>
        </Group>
      )}
      <Rejection error={decrypt.error} />
      <div role="status">{decrypt.data !== undefined && <Plaintext base64={decrypt.data} />}</div>
    </Stack>
  );
}

/** Shows the plaintext as text if it is valid UTF-8. */
function Plaintext({ base64 }: { readonly base64: string }) {
  const text = textOf(base64);
  if (text === undefined) return <EncodedField label="Plaintext" value={base64} />;
  return (
    <Textarea
      label="Plaintext"
      description="Decoded as UTF-8."
      autosize
      minRows={2}
      maxRows={8}
      readOnly
      value={text}
    />
  );
}

function textOf(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromBase64(base64));
  } catch {
    return undefined;
  }
}
