// The key of a certificate: generated in this browser, or elsewhere with a request for it.
import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Callout } from '../../ui/callout.tsx';
import { CsrField } from './csr-field.tsx';
import { possibleKeysQuery, usualKeys } from './key-types.ts';
import { canMakeKeys, makeKey, type MadeKey, type Wanted } from './make-key.ts';
import { readCsr } from './read-csr.ts';
import { webKeyTypes, type WebKeyName } from './web-signatures.ts';

type Source = 'make' | 'paste';

export interface KeySourceModel {
  readonly source: Source;
  readonly keyName: WebKeyName;
  readonly csr: string;
  readonly choose: (change: Partial<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>) => void;
  /** Whether a key can be generated, or a readable request was entered. */
  readonly isReady: boolean;
  /** The request to send, and the key if it is generated here. */
  readonly request: (wanted: () => Wanted) => Promise<Pick<MadeKey, 'request'> & Partial<MadeKey>>;
}

export function useKeySource(): KeySourceModel {
  const [{ source, keyName, csr }, set] = useState<Pick<KeySourceModel, 'source' | 'keyName' | 'csr'>>({
    source: canMakeKeys() ? 'make' : 'paste',
    keyName: 'P-256',
    csr: '',
  });
  return {
    source,
    keyName,
    csr,
    choose: (change) => set((now) => ({ ...now, ...change })),
    isReady: source === 'make' ? canMakeKeys() : csr.trim() !== '' && !('problem' in readCsr(csr)),
    request: async (wanted) => (source === 'make' ? makeKey(keyName, wanted()) : { request: csr }),
  };
}

export interface KeySourceProps {
  readonly keys: KeySourceModel;
  /** Why the platform refused a pasted request. */
  readonly refusal: string | undefined;
  /** Further fields for a key that is generated here. */
  readonly children?: ReactNode;
}

export function KeySource({ keys, refusal, children }: KeySourceProps) {
  const { source, keyName, csr, choose } = keys;
  const { data: possible = usualKeys } = useQuery(possibleKeysQuery);
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Where the key comes from"
        value={source}
        onChange={(value) => choose({ source: value as Source })} // one of the values below
        data={[
          { value: 'make', label: 'Generate a key' },
          { value: 'paste', label: 'I have a CSR' },
        ]}
      />
      {source === 'paste' ? (
        <CsrField text={csr} onChange={(text) => choose({ csr: text })} refusal={refusal} />
      ) : canMakeKeys() ? (
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
      ) : (
        <Callout tone="warn" title="This browser cannot generate keys at this address">
          Browsers generate keys on HTTPS pages only. Open the console at its https address, or generate the key
          elsewhere and paste a request for it.
        </Callout>
      )}
    </Stack>
  );
}
