// A key in a token that a request is made with by the platform: which one, and how it signs.
import { Button, Select, Stack, Text } from '@mantine/core';
import { CSR_ATTRIBUTES, type KeyDto, type RequestAttributeDto } from '@signetry/contract';
import { parseIpAddress } from '@signetry/pki';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Reading } from '../../kit/reading.tsx';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { definitionsOf } from '../../ui/attributes/definitions.ts';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { Empty } from '../../ui/outcomes.tsx';

const pairsQuery = queryOptions({
  queryKey: ['keys', 'pairs'],
  queryFn: ({ signal }) => api.keys.listKeyPairs({ query: {} }, { signal }),
});

/** The form depends on the algorithm of the key. */
const signatureQuery = (key: KeyDto | undefined) =>
  queryOptions({
    queryKey: ['keys', 'signature-attributes', key?.uuid],
    queryFn: key
      ? async ({ signal }) => {
          const item = key.items.find(({ type }) => type === 'Private');
          const params = {
            tokenInstanceUuid: key.tokenInstanceUuid ?? '',
            tokenProfileUuid: key.tokenProfileUuid ?? '',
            uuid: key.uuid,
            keyItemUuid: item?.uuid ?? '',
            algorithm: item?.keyAlgorithm ?? 'Unknown',
          };
          return definitionsOf(await api.keyUse.listSignatureAttributes({ params }, { signal }));
        }
      : skipToken,
  });

/** What a body says of a key to make the request with. */
export interface UsedKey {
  readonly keyUuid: string;
  readonly tokenProfileUuid?: string;
  readonly signatureAttributes?: RequestAttributeDto[];
}

export interface TokenKeyModel {
  readonly pairs: ReturnType<typeof usePairs>;
  readonly chosen: KeyDto | undefined;
  readonly choose: (uuid: string | null) => void;
  readonly signature: AttributeFormModel;
  /** Whether the signature is chosen, too; it is the usual one of the key otherwise. */
  readonly choosesSignature: boolean;
  readonly chooseSignature: () => void;
  /** Whether what was chosen can be sent; if not, its problems show. */
  readonly check: () => boolean;
  readonly used: () => UsedKey;
}

/** Without the key that is not wanted any more. */
function usePairs(isWanted: boolean, without: string | undefined) {
  const { data, error, refetch } = useQuery({ ...pairsQuery, enabled: isWanted });
  return { data: data?.filter(({ uuid }) => uuid !== without), error, refetch };
}

export function useTokenKey(isWanted: boolean, without?: string): TokenKeyModel {
  const [uuid, choose] = useState<string | null>(null);
  const [choosesSignature, setChooses] = useState(false);
  const pairs = usePairs(isWanted, without);
  const chosen = pairs.data?.find((pair) => pair.uuid === uuid);
  const { data: definitions = [] } = useQuery(signatureQuery(chosen));
  const signature = useAttributeForm({ source: chosen?.uuid ?? '', definitions });
  return {
    pairs,
    chosen,
    choose,
    signature,
    choosesSignature,
    chooseSignature: () => setChooses(true),
    check: () => !choosesSignature || signature.check(),
    used: () => ({
      keyUuid: chosen?.uuid ?? '',
      ...(chosen?.tokenProfileUuid === undefined ? {} : { tokenProfileUuid: chosen.tokenProfileUuid }),
      ...(choosesSignature ? { signatureAttributes: signature.request() } : {}),
    }),
  };
}

export function TokenKey({ model }: { readonly model: TokenKeyModel }) {
  return (
    <Reading
      of={model.pairs}
      what="the keys"
      empty={
        <Empty title="No key to choose from">
          A key pair is needed whose halves are both active and enabled, in an enabled token profile.
        </Empty>
      }
    >
      {(pairs) => (
        <Stack gap="md">
          <Select
            label="Key"
            placeholder="Choose a key"
            data={pairs.map((pair) => ({ value: pair.uuid, label: labelOf(pair) }))}
            value={model.chosen?.uuid ?? null}
            onChange={model.choose}
            searchable
            nothingFoundMessage="No key of this name"
          />
          <Signature model={model} />
          <Text size="sm" c="dimmed">
            The private key stays in its token, which signs the request.
          </Text>
        </Stack>
      )}
    </Reading>
  );
}

function Signature({ model }: { readonly model: TokenKeyModel }) {
  const { signature, choosesSignature, chooseSignature } = model;
  if (signature.definitions.length === 0) return null;
  if (choosesSignature) return <AttributeFields form={signature} />;
  return (
    <div>
      <Button variant="default" size="xs" onClick={chooseSignature}>
        Choose how the request is signed
      </Button>
    </div>
  );
}

/** `signing – ECDSA, 256 bits, token HSM 1`. */
function labelOf({ name, items, tokenInstanceName }: KeyDto): string {
  const item = items.find(({ type }) => type === 'Private');
  const facts = [item?.keyAlgorithm, item && `${item.length} bits`, tokenInstanceName && `token ${tokenInstanceName}`];
  return `${name} – ${facts.filter(Boolean).join(', ')}`;
}

const texts = (
  attribute: { readonly uuid: string; readonly name: string },
  values: readonly string[],
): RequestAttributeDto[] =>
  values.length === 0 ? [] : [{ ...attribute, contentType: 'string', content: values.map((data) => ({ data })) }];

/** For DNS names and IP addresses; the first is also the common name. */
export function csrAttributesFor(names: readonly string[]): RequestAttributeDto[] {
  const isAddress = (name: string): boolean => parseIpAddress(name) !== undefined;
  return [
    ...texts(CSR_ATTRIBUTES.commonName, names.slice(0, 1)),
    ...texts(CSR_ATTRIBUTES.dnsNames, names.filter((name) => !isAddress(name))), // prettier-ignore
    ...texts(CSR_ATTRIBUTES.ipAddresses, names.filter(isAddress)),
  ];
}
