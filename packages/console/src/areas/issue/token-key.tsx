// Selects the token key that the platform uses to sign a CSR, and the signature options.
import { Button, Select, Stack, Text } from '@mantine/core';
import { CSR_ATTRIBUTES, type KeyDto, type RequestAttributeDto } from '@signetry/contract';
import { parseIpAddress } from '@signetry/pki';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keyItemText } from '../../format/key-text.ts';
import { QueryView } from '../../kit/query-view.tsx';
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

/** Request fields that specify the key for the CSR. */
export interface TokenKeyReference {
  readonly keyUuid: string;
  readonly tokenProfileUuid?: string;
  readonly signatureAttributes?: RequestAttributeDto[];
}

export interface TokenKeyModel {
  readonly pairs: ReturnType<typeof usePairs>;
  readonly chosen: KeyDto | undefined;
  readonly choose: (uuid: string | null) => void;
  readonly signature: AttributeFormModel;
  /** Whether the user chooses the signature options; if not, the key's default is used. */
  readonly choosesSignature: boolean;
  readonly chooseSignature: () => void;
  /** Returns whether the selection can be sent; if not, shows its problems. */
  readonly check: () => boolean;
  readonly used: () => TokenKeyReference;
}

/** Returns the key pairs except the one being replaced. */
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
    <QueryView
      of={model.pairs}
      what="the keys"
      empty={
        <Empty title="No keys available">
          You need a key pair in an enabled token profile, with both keys active and enabled.
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
            nothingFoundMessage="No matching key"
          />
          <Signature model={model} />
          <Text size="sm" c="dimmed">
            The private key stays in its token, which signs the request.
          </Text>
        </Stack>
      )}
    </QueryView>
  );
}

function Signature({ model }: { readonly model: TokenKeyModel }) {
  const { signature, choosesSignature, chooseSignature } = model;
  if (signature.definitions.length === 0) return null;
  if (choosesSignature) return <AttributeFields form={signature} />;
  return (
    <div>
      <Button variant="default" size="xs" onClick={chooseSignature}>
        Choose signature options
      </Button>
    </div>
  );
}

/** Formats `signing – ECDSA, 256 bits, token HSM 1`. */
function labelOf({ name, items, tokenInstanceName }: KeyDto): string {
  const item = items.find(({ type }) => type === 'Private');
  const facts = [
    item && keyItemText(item.keyAlgorithm, item.length),
    tokenInstanceName && `token ${tokenInstanceName}`,
  ];
  return `${name} – ${facts.filter(Boolean).join(', ')}`;
}

const textAttributes = (
  attribute: { readonly uuid: string; readonly name: string },
  values: readonly string[],
): RequestAttributeDto[] =>
  values.length === 0 ? [] : [{ ...attribute, contentType: 'string', content: values.map((data) => ({ data })) }];

/** Returns the attributes for DNS names and IP addresses; the first name is also the common name. */
export function csrAttributesFor(names: readonly string[]): RequestAttributeDto[] {
  const isIpAddress = (name: string): boolean => parseIpAddress(name) !== undefined;
  return [
    ...textAttributes(CSR_ATTRIBUTES.commonName, names.slice(0, 1)),
    ...textAttributes(CSR_ATTRIBUTES.dnsNames, names.filter((name) => !isIpAddress(name))), // prettier-ignore
    ...textAttributes(CSR_ATTRIBUTES.ipAddresses, names.filter(isIpAddress)),
  ];
}
