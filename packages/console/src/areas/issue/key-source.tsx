// The key of a certificate: generated in this browser, elsewhere with a request for it, or in a token.
import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../kit/use-may.ts';
import { Callout } from '../../ui/callout.tsx';
import { CsrField } from './csr-field.tsx';
import { canMakeKeys, makeKey, type MadeKey, type RequestContents } from './make-key.ts';
import { readCsr } from './read-csr.ts';
import { TokenKey, useTokenKey, type TokenKeyModel, type UsedKey } from './token-key.tsx';
import { webKeyTypes, type WebKeyName, type WebKeyType } from './web-signatures.ts';

type Source = 'make' | 'paste' | 'token';

export interface KeySourceModel {
  readonly source: Source;
  readonly keyName: WebKeyName;
  readonly csr: string;
  readonly choose: (change: Partial<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>) => void;
  readonly token: TokenKeyModel;
  /** Whether a key can be generated, a readable request was entered, or a key was chosen. */
  readonly isReady: boolean;
  /** Whether it can be sent; if not, its problems show. */
  readonly check: () => boolean;
  /** What to send, and the key if it is generated here. */
  readonly prepare: (wanted: () => RequestContents) => Promise<Prepared>;
}

interface Prepared {
  /** A request, or the key to make one with. */
  readonly body: Pick<MadeKey, 'request'> | UsedKey;
  readonly privateKey?: MadeKey['privateKey'];
}

/** `without` is a key that is to be replaced. */
export function useKeySource(without?: string): KeySourceModel {
  const [{ source, keyName, csr }, set] = useState<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>({
    source: canMakeKeys() ? 'make' : 'paste',
    keyName: 'P-256',
    csr: '',
  });
  const token = useTokenKey(source === 'token', without);
  const isReady: Readonly<Record<Source, () => boolean>> = {
    make: canMakeKeys,
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
      const { request, privateKey } = await makeKey(keyName, wanted());
      return { body: { request }, privateKey };
    },
  };
}

export interface KeySourceProps {
  readonly keys: KeySourceModel;
  /** Why the platform refused a pasted request. */
  readonly refusal: string | undefined;
  /** Further fields where no request says for what the certificate is. */
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
        aria-label="Where the key comes from"
        value={source}
        onChange={(value) => choose({ source: value as Source })} // one of the values below
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
      {source === 'make' && <MakeKey keys={keys}>{children}</MakeKey>}
    </Stack>
  );
}

function MakeKey({ keys: { keyName, choose }, children }: Pick<KeySourceProps, 'keys' | 'children'>) {
  const { data: possible = usualKeys } = useQuery(possibleKeysQuery);
  if (!canMakeKeys())
    return (
      <Callout tone="warn" title="This browser cannot generate keys at this address">
        Browsers generate keys on HTTPS pages only. Open the console at its https address, or generate the key elsewhere
        and paste a request for it.
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
        onChange={(value) => choose({ keyName: value as WebKeyName })} // one of the keys above
      />
      <Text size="sm" c="dimmed">
        The private key is generated in this browser and saved as a file. It is never sent anywhere and cannot be
        recovered.
      </Text>
    </>
  );
}

/** The kinds of keys that this browser can generate. */
const all = Object.keys(webKeyTypes) as WebKeyName[]; // the names of a constant

const types: Readonly<Record<WebKeyName, WebKeyType>> = webKeyTypes;

/** Every browser has these. */
const usualKeys: readonly WebKeyName[] = all.filter((name) => types[name].isNew !== true);

/** Newer ones are tried: nothing else tells for certain that a browser has them. */
const possibleKeysQuery = queryOptions({
  queryKey: ['possible-keys'],
  queryFn: async (): Promise<readonly WebKeyName[]> => {
    if (!canMakeKeys()) return [];
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
