// A single key item (private, public or secret): its state, usages and actions.
import { Button, Group, Stack, Title } from '@mantine/core';
import { KeyFormat, type KeyDetailDto, type KeyItemDetailDto, type KeyUsage } from '@signetry/contract';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { switchAction } from '../../kit/common-actions.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../certificates/downloads.ts';
import { UsagesField, describeUsages } from '../token-profiles/usages.tsx';
import { hasMetadata, Metadata } from '../tokens/metadata.tsx';
import classes from './item-panel.module.css';
import { ItemHistory } from './item-history.tsx';
import { isDestroyed, ItemState } from './state.tsx';
import { possibleUsages, reasonTexts, typeTexts, describeAlgorithm } from './texts.ts';

export interface ItemPanelProps {
  readonly item: KeyItemDetailDto;
  readonly of: KeyDetailDto;
}

export function ItemPanel({ item, of: key }: ItemPanelProps) {
  const { name, usage, format, reason, keyReferenceUuid, metadata } = item;
  return (
    <Panel title={typeTexts[item.type]} actions={<ItemActions item={item} of={key} />}>
      <Stack gap="md">
        <Facts
          facts={[
            { name: 'State', value: <ItemState item={item} /> },
            { name: 'Compromise reason', value: reason && reasonTexts[reason] },
            { name: 'Algorithm', value: describeAlgorithm(item) },
            { name: 'Usages', value: describeUsages(usage) },
            { name: 'Name in the token', value: name === key.name ? undefined : name },
            { name: 'Format', value: KeyFormat.labels[format] },
            { name: 'Reference in the token', value: keyReferenceUuid, code: true, copy: keyReferenceUuid ?? '' },
          ]}
        />
        <PublicKey item={item} name={key.name} />
        {hasMetadata(metadata) && (
          <div>
            <Title order={3} mb={4}>
              Metadata
            </Title>
            <Metadata metadata={metadata} />
          </div>
        )}
      </Stack>
    </Panel>
  );
}

function ItemActions({ item, of: key }: ItemPanelProps) {
  const { uuid: itemUuid, type, enabled } = item;
  const params = { uuid: key.uuid };
  const what = `the ${typeTexts[type].toLowerCase()}`;
  const isPair = key.items.length > 1;
  return (
    <Group gap="xs">
      <Actions
        size="compact-sm"
        actions={[
          {
            label: 'History',
            name: `History of ${what}`,
            dialog: ({ opened, onClose }) =>
              opened && <ItemHistory place={{ keyUuid: key.uuid, itemUuid }} what={what} onClose={onClose} />,
          },
          !isDestroyed(item) && {
            label: 'Usages',
            name: `Change usages of ${what}`,
            needs: ['keys', 'update', key.uuid],
            dialog: ({ opened, onClose }) => opened && <UsagesDialog item={item} of={key} onClose={onClose} />,
          },
          isPair &&
            !isDestroyed(item) &&
            switchAction({
              name: what,
              enabled,
              needs: ['keys', 'enable', key.uuid],
              enable: () => api.keys.enableKey({ params, body: [itemUuid] }),
              disable: () => api.keys.disableKey({ params, body: [itemUuid] }),
              consequence: 'It cannot be used until it is enabled again. The other key of the pair is not affected.',
              refresh: ['keys'],
            }),
        ]}
      />
    </Group>
  );
}

function UsagesDialog({ item, of: key, onClose }: ItemPanelProps & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly KeyUsage[]>(item.usage ?? []);
  const queries = useQueryClient();
  return (
    <FormDialog
      title={`${key.name}: ${typeTexts[item.type].toLowerCase()} usages`}
      submitLabel="Save"
      onClose={onClose}
      submit={async () => {
        const body = { usage: [...chosen], uuids: [item.uuid] };
        await api.keys.updateKeyUsages({ params: { uuid: key.uuid }, body });
        await queries.invalidateQueries({ queryKey: ['keys'] });
        notify.done(`The usages of ${key.name} were saved.`);
      }}
    >
      <UsagesField
        label="Usages"
        description="Only usages that the key type supports are listed. A key without usages cannot be used."
        offered={possibleUsages(item)}
        chosen={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}

/** The public key in the common exchange format: SubjectPublicKeyInfo in PEM (RFC 7468 §13). */
function PublicKey({ item, name }: { readonly item: KeyItemDetailDto; readonly name: string }) {
  if (item.type !== 'Public' || item.format !== 'SubjectPublicKeyInfo' || item.keyData === undefined) return null;
  const pem = pemOf(item.keyData);
  const file = `${name.replaceAll(/[^\w.-]+/g, '_').slice(0, 100)}.pub.pem`;
  return (
    <Stack gap="xs" align="start">
      <div className={classes.pem}>
        <Code place="Public key (PEM)" what="public key" text={pem} />
      </div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden="true" />}
        onClick={() => saveFile(file, new TextEncoder().encode(pem))}
      >
        Download public key
      </Button>
    </Stack>
  );
}

const pemOf = (base64: string): string =>
  `-----BEGIN PUBLIC KEY-----\n${base64.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END PUBLIC KEY-----\n`;
