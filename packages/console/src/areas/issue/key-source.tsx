// Source of a certificate's key: generated in this browser, generated elsewhere (with a CSR), or in a token.
import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../kit/use-may.ts';
import { Callout } from '../../ui/callout.tsx';
import { CsrField } from './csr-field.tsx';
import { canGenerateKeys, generateKey, type GeneratedKey, type RequestContents } from './generate-key.ts';
import { readCsr } from './read-csr.ts';
import { TokenKey, useTokenKey, type TokenKeyModel, type TokenKeyReference } from './token-key.tsx';
import { webKeyTypes, type WebKeyName, type WebKeyType } from './web-signatures.ts';

type Source = 'make' | 'paste' | 'token';

export interface KeySourceModel {
  readonly source: Source;
  readonly keyName: WebKeyName;
  readonly csr: string;
  readonly choose: (change: Partial<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>) => void;
  readonly token: TokenKeyModel;
  /** Whether a key can be generated, a readable CSR was entered, or a key was selected. */
  readonly isReady: boolean;
  /** Returns whether the input can be sent; if not, shows its problems. */
  readonly check: () => boolean;
  /** Returns the request body, and the private key if it is generated here. */
  readonly prepare: (wanted: () => RequestContents) => Promise<PreparedRequest>;
}

interface PreparedRequest {
  /** A CSR, or the token key that signs one. */
  readonly body: Pick<GeneratedKey, 'request'> | TokenKeyReference;
  readonly privateKey?: GeneratedKey['privateKey'];
}

/** `without` is the key being replaced, which is not offered. */
export function useKeySource(without?: string): KeySourceModel {
  const [{ source, keyName, csr }, set] = useState<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>({
    source: canGenerateKeys() ? 'make' : 'paste',
    keyName: 'P-256',
    csr: '',
  });
  const token = useTokenKey(source === 'token', without);
  const isReady: Readonly<Record<Source, () => boolean>> = {
    make: canGenerateKeys,
    paste: () => csr.trim() !== '' && !('problem' in readCsr(csr)),
    token: () => token.chosen !== undefined,
  };
  return {
    source,
    keyName,
    csr,
    choose: (change) => set((now) => ({ ...now, ...change })),
    token,
    isReady: isReady[source](),
    check: () => source !== 'token' || token.check(),
    prepare: async (wanted) => {
      if (source === 'token') return { body: token.used() };
      if (source === 'paste') return { body: { request: csr } };
      const { request, privateKey } = await generateKey(keyName, wanted());
      return { body: { request }, privateKey };
    },
  };
}

export interface KeySourceProps {
  readonly keys: KeySourceModel;
  /** Error message if the platform rejected a pasted CSR. */
  readonly refusal: string | undefined;
  /** Additional fields, shown if the names are not specified by a CSR. */
  readonly children?: ReactNode;
}

export function KeySource({ keys, refusal, children }: KeySourceProps) {
  const { source, csr, choose } = keys;
  const maySign = useMay()([
    ['keys', 'list'],
    ['keys', 'sign'],
  ]);
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Key source"
        value={source}
        onChange={(value) => choose({ source: value as Source })} // The value is one of those listed below.
        data={[
          { value: 'make', label: 'Generate a key' },
          { value: 'paste', label: 'I have a CSR' },
          ...(maySign ? [{ value: 'token', label: 'Key in a token' }] : []),
        ]}
      />
      {source === 'paste' && <CsrField text={csr} onChange={(text) => choose({ csr: text })} refusal={refusal} />}
      {source === 'token' && (
        <>
          {children}
          <TokenKey model={keys.token} />
        </>
      )}
      {source === 'make' && <GenerateKey keys={keys}>{children}</GenerateKey>}
    </Stack>
  );
}

function GenerateKey({ keys: { keyName, choose }, children }: Pick<KeySourceProps, 'keys' | 'children'>) {
  const { data: possible = usualKeys } = useQuery(possibleKeysQuery);
  if (!canGenerateKeys())
    return (
      <Callout tone="warn" title="Key generation requires HTTPS">
        Browsers generate keys only on HTTPS pages. Open the console at its HTTPS URL, or generate the key elsewhere and
        paste a CSR.
      </Callout>
    );
  return (
    <>
      {children}
      <Select
        label="Key"
        data={possible.map((value) => ({
          value,
          label: `${webKeyTypes[value].label} – ${webKeyTypes[value].about}`,
        }))}
        value={keyName}
        onChange={(value) => choose({ keyName: value as WebKeyName })} // The value is one of the key types above.
      />
      <Text size="sm" c="dimmed">
        The private key is generated in this browser and saved as a file. It is never sent anywhere and cannot be
        recovered.
      </Text>
    </>
  );
}

/** Key types that the console can generate. */
const all = Object.keys(webKeyTypes) as WebKeyName[]; // The keys are those of a constant.

const types: Readonly<Record<WebKeyName, WebKeyType>> = webKeyTypes;

/** Supported by every browser. */
const usualKeys: readonly WebKeyName[] = all.filter((name) => types[name].isNew !== true);

/** Newer key types are detected by generating a key, the only reliable check. */
const possibleKeysQuery = queryOptions({
  queryKey: ['possible-keys'],
  queryFn: async (): Promise<readonly WebKeyName[]> => {
    if (!canGenerateKeys()) return [];
    const possible = await Promise.all(all.map(async (name) => usualKeys.includes(name) || canGenerate(types[name])));
    return all.filter((_, place) => possible[place]);
  },
  staleTime: Infinity,
});

async function canGenerate({ generate }: WebKeyType): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(generate, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
