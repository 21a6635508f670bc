// Signs text or a small file with the key, and verifies signatures, so that users can test a key before they rely on
// it.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { BaseAttributeDto, KeyItemDetailDto } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { signatureDefinitionsQuery, type KeyOperationPath } from '../../queries/keys.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Panel } from '../../ui/panel.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { State } from '../../ui/state.tsx';
import { DataField, EncodedField } from './data-field.tsx';
import { defaultChoices } from './default-choices.ts';

interface SignAndVerifyProps {
  readonly signing: KeyOperationPath;
  readonly algorithm: KeyItemDetailDto['keyAlgorithm'];
  /** Absent if the other key item cannot verify. */
  readonly verifying: KeyOperationPath | undefined;
}

export function SignAndVerify(props: SignAndVerifyProps) {
  const definitions = useQuery(signatureDefinitionsQuery(props.signing, props.algorithm));
  return (
    <Panel title="Sign and verify">
      <Text size="sm" c="dimmed" mb="md">
        Test the key. Each use is recorded in its history and in the audit log; the data is not.
      </Text>
      <QueryView of={definitions} what="the signature options">
        {(definitions) => <Trial {...props} definitions={definitions} />}
      </QueryView>
    </Panel>
  );
}

interface TrialProps extends SignAndVerifyProps {
  readonly definitions: readonly BaseAttributeDto[];
}

/**
 * A signature and the result of its verification. The result is absent if the signature has not been verified since it
 * was entered.
 */
interface Result {
  readonly signature: string;
  readonly isRight?: boolean;
}

/** `data` is Base64-encoded. */
function useTrial({ signing, verifying, definitions }: TrialProps, data: string) {
  const form = useAttributeForm({ source: signing.keyItemUuid, definitions, present: defaultChoices(definitions) });
  const [result, setResult] = useState<Result>({ signature: '' });
  const queries = useQueryClient();
  const refreshHistory = () => queries.invalidateQueries({ queryKey: ['keys', 'history'] });
  const sign = useMutation({
    mutationFn: () =>
      api.keyUse.signData({ params: signing, body: { signatureAttributes: form.request(), data: [{ data }] } }),
    onSuccess: ({ signatures }) => setResult({ signature: signatures[0]?.data ?? '' }),
    onSettled: refreshHistory,
  });
  const verify = useMutation({
    mutationFn: (signature: string) =>
      api.keyUse.verifyData({
        params: verifying ?? signing,
        body: { signatureAttributes: form.request(), data: [{ data }], signatures: [{ data: signature }] },
      }),
    onSuccess: ({ verifications }) =>
      setResult(({ signature }) => ({ signature, isRight: verifications[0]?.result === true })),
    onSettled: refreshHistory,
  });
  return { form, result, setResult, sign, verify };
}

function Trial(props: TrialProps) {
  const { verifying } = props;
  const [data, setData] = useState('');
  const { form, result, setResult, sign, verify } = useTrial(props, data);
  const signature = result.signature.trim();
  return (
    <Stack>
      <DataField
        use="sign"
        onChange={(next) => {
          setData(next);
          setResult(({ signature: kept }) => ({ signature: kept }));
        }}
      />
      <AttributeFields form={form} />
      <Group>
        <Button loading={sign.isPending} disabled={data === ''} onClick={() => form.check() && sign.mutate()}>
          Sign
        </Button>
      </Group>
      <Rejection error={sign.error} />
      <EncodedField
        label="Signature"
        {...(verifying && { description: 'The generated signature, or a signature to verify.' })}
        value={result.signature}
        onChange={(next) => setResult({ signature: next })}
      />
      {verifying && (
        <Group>
          <Button
            variant="default"
            loading={verify.isPending}
            disabled={data === '' || signature === ''}
            onClick={() => form.check() && verify.mutate(signature)}
          >
            Verify
          </Button>
          <Verdict isRight={result.isRight} />
        </Group>
      )}
      <Rejection error={verify.error} />
    </Stack>
  );
}

/** Always rendered, so that screen readers announce its changes. */
const Verdict = ({ isRight }: { readonly isRight: boolean | undefined }) => (
  <div role="status">
    {isRight === true && <State tone="good">Signature valid</State>}
    {isRight === false && <State tone="bad">Signature not valid for this data</State>}
  </div>
);
