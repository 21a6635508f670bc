// Signs a text or a small file with the key, and verifies a signature: a key is tried out before others depend on it.
import { Button, Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import type { BaseAttributeDto, KeyDetailDto, KeyItemDetailDto, ResponseAttributeDto } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { formatBytes } from '../../format/sizes.ts';
import { Reading } from '../../kit/reading.tsx';
import { useMay } from '../../kit/use-may.ts';
import { signatureDefinitionsQuery, type UsedItem } from '../../queries/keys.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import { useAttributeForm } from '../../ui/attributes/use-attribute-form.ts';
import { Copy } from '../../ui/copy.tsx';
import { ChooseFile } from '../../ui/encoded-file.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { State } from '../../ui/state.tsx';

/** What is signed is sent whole, in Base64. */
const MAX_FILE_BYTES = 256 * 1024;

export function TryOut({ of: key }: { readonly of: KeyDetailDto }) {
  const may = useMay();
  const signing = key.items.find(({ type }) => type !== 'Public');
  const verifying = key.items.find(({ type }) => type === 'Public') ?? signing;
  const { tokenInstanceUuid, tokenProfileUuid, uuid } = key;
  const isUsable = (item: KeyItemDetailDto): boolean => item.state === 'active' && item.enabled;
  if (!signing?.usage?.includes('sign') || !isUsable(signing) || !verifying) return null;
  if (tokenInstanceUuid === undefined || tokenProfileUuid === undefined) return null;
  const needs = [
    ['keys', 'sign', uuid],
    ['tokens', 'detail', tokenInstanceUuid],
    ['tokenProfiles', 'detail', tokenProfileUuid],
  ] as const;
  if (!may(needs)) return null;
  const place = { tokenInstanceUuid, tokenProfileUuid, uuid };
  return (
    <SignAndVerify
      signing={{ ...place, keyItemUuid: signing.uuid }}
      algorithm={signing.keyAlgorithm}
      verifying={
        verifying.usage?.includes('verify') && isUsable(verifying) && may(['keys', 'verify', uuid])
          ? { ...place, keyItemUuid: verifying.uuid }
          : undefined
      }
    />
  );
}

interface SignAndVerifyProps {
  readonly signing: UsedItem;
  readonly algorithm: KeyItemDetailDto['keyAlgorithm'];
  /** Absent where nothing can be verified with the other half. */
  readonly verifying: UsedItem | undefined;
}

function SignAndVerify(props: SignAndVerifyProps) {
  const definitions = useQuery(signatureDefinitionsQuery(props.signing, props.algorithm));
  return (
    <Panel title="Sign and verify">
      <Text size="sm" c="dimmed" mb="md">
        To try the key out. Each use becomes part of its history and of the audit log; the data do not.
      </Text>
      <Reading of={definitions} what="how the key can sign">
        {(definitions) => <Trial {...props} definitions={definitions} />}
      </Reading>
    </Panel>
  );
}

interface TrialProps extends SignAndVerifyProps {
  readonly definitions: readonly BaseAttributeDto[];
}

/** A signature, and whether it was found right since it was entered. */
interface Result {
  readonly signature: string;
  readonly isRight?: boolean;
}

/** `data` are Base64. */
function useTrial({ signing, verifying, definitions }: TrialProps, data: string) {
  const form = useAttributeForm({ source: signing.keyItemUuid, definitions, present: firstChoices(definitions) });
  const [result, setResult] = useState<Result>({ signature: '' });
  const queries = useQueryClient();
  const remember = () => queries.invalidateQueries({ queryKey: ['keys', 'history'] });
  const sign = useMutation({
    mutationFn: () =>
      api.keyUse.signData({ params: signing, body: { signatureAttributes: form.request(), data: [{ data }] } }),
    onSuccess: ({ signatures }) => setResult({ signature: signatures[0]?.data ?? '' }),
    onSettled: remember,
  });
  const verify = useMutation({
    mutationFn: (signature: string) =>
      api.keyUse.verifyData({
        params: verifying ?? signing,
        body: { signatureAttributes: form.request(), data: [{ data }], signatures: [{ data: signature }] },
      }),
    onSuccess: ({ verifications }) =>
      setResult(({ signature }) => ({ signature, isRight: verifications[0]?.result === true })),
    onSettled: remember,
  });
  return { form, result, setResult, sign, verify };
}

/** The usual scheme and digest are the first ones. */
const firstChoices = (definitions: readonly BaseAttributeDto[]): readonly ResponseAttributeDto[] =>
  definitions
    .filter(isField)
    .flatMap(({ name, type, contentType, properties, content = [] }) =>
      properties.list ? [{ name, label: properties.label, type, contentType, content: content.slice(0, 1) }] : [],
    );

function Trial(props: TrialProps) {
  const { verifying } = props;
  const [data, setData] = useState('');
  const { form, result, setResult, sign, verify } = useTrial(props, data);
  const signature = result.signature.trim();
  return (
    <Stack>
      <DataField
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
      <Refusal error={sign.error} />
      <Group align="start" wrap="nowrap" gap="xs">
        <Textarea
          label="Signature (Base64)"
          description={verifying && 'That of the key, or one to be verified.'}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          style={{ flex: 1 }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
          value={result.signature}
          onChange={(event) => setResult({ signature: event.currentTarget.value })}
        />
        {signature !== '' && <Copy text={signature} what="signature" />}
      </Group>
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
      <Refusal error={verify.error} />
    </Stack>
  );
}

/** Always there, so that what comes into it is read aloud. */
const Verdict = ({ isRight }: { readonly isRight: boolean | undefined }) => (
  <div role="status">
    {isRight === true && <State tone="good">The signature is right</State>}
    {isRight === false && <State tone="bad">The signature is wrong for these data</State>}
  </div>
);

/** Answers Base64; nothing while there are no data. */
function DataField({ onChange }: { readonly onChange: (base64: string) => void }) {
  const [source, setSource] = useState<'text' | 'file'>('text');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const take = async (next: File | undefined): Promise<void> => {
    if (!next) return;
    const isTooLarge = next.size > MAX_FILE_BYTES;
    setProblem(
      isTooLarge
        ? `${next.name} has ${formatBytes(next.size)}; up to ${formatBytes(MAX_FILE_BYTES)} are taken.`
        : undefined,
    );
    setFile(isTooLarge ? undefined : next);
    onChange(isTooLarge ? '' : new Uint8Array(await next.arrayBuffer()).toBase64());
  };
  return (
    <Input.Wrapper label="Data to sign" labelElement="div" labelProps={{ id }}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl
          aria-labelledby={id}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'file', label: 'File' },
          ]}
          style={{ alignSelf: 'start' }}
          value={source}
          onChange={(next) => {
            setSource(next === 'file' ? 'file' : 'text');
            setFile(undefined);
            onChange(next === 'file' ? '' : encoded(text));
          }}
        />
        {source === 'text' ? (
          <Textarea
            aria-label="Text to sign"
            description="As UTF-8."
            autosize
            minRows={2}
            maxRows={8}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              onChange(encoded(event.currentTarget.value));
            }}
          />
        ) : (
          <>
            <ChooseFile name="File to sign" problem={problem} onFile={(next) => void take(next)} />
            {file && <Text size="sm">{`${file.name}, ${formatBytes(file.size)}`}</Text>}
          </>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

const encoded = (text: string): string => new TextEncoder().encode(text).toBase64();
