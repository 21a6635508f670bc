// The user's own passkeys. Users can add one on this device, rename passkeys, and remove them.
import { TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { Passkey } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ownPasskeysQuery } from '../../queries/sign-in.ts';
import { notify } from '../../ui/notices.tsx';
import { BrowserRejection } from '../../ui/browser-rejection.ts';
import { PasskeyPanel } from './passkey-panel.tsx';

export function OwnPasskeys() {
  return (
    <PasskeyPanel
      query={useQuery(ownPasskeysQuery)}
      actionsOf={(passkey) => [renameAction(passkey), removeAction(passkey)]}
      actions={<ActionButton size="compact-sm" action={addAction()} />}
      empty="No passkeys yet. With a passkey, you sign in using your screen lock or a security key, without a link."
    />
  );
}

function addAction(): Action {
  const offered = { label: 'Add passkey', icon: IconFingerprint };
  const why = checkPasskeySupport();
  if (why !== undefined) return { ...offered, why };
  return { ...offered, dialog: ({ opened, onClose }) => opened && <NameDialog onClose={onClose} /> };
}

const renameAction = (passkey: Passkey): Action => ({
  label: 'Rename',
  name: `Rename ${passkey.name}`,
  dialog: ({ opened, onClose }) => opened && <NameDialog passkey={passkey} onClose={onClose} />,
});

const removeAction = ({ uuid, name }: Passkey): Action => ({
  label: 'Remove',
  name: `Remove ${name}`,
  isGrave: true,
  run: () => api.passkeys.removePasskey({ params: { uuid } }),
  done: `${name} was removed.`,
  refresh: ownPasskeysQuery.queryKey,
  ask: {
    title: `Remove ${name}?`,
    keep: 'Keep it',
    children:
      'It can no longer be used to sign in, and other sessions opened with it end. Also delete it on your device; otherwise the browser keeps offering it.',
  },
});

/** Prompts for the name of a new passkey before the browser creates it, or for the new name of an existing one. */
function NameDialog({ passkey, onClose }: { readonly passkey?: Passkey; readonly onClose: () => void }) {
  const [name, setName] = useState(passkey?.name ?? '');
  const queries = useQueryClient();
  const given = name.trim();
  return (
    <FormDialog
      title={passkey ? `Rename ${passkey.name}` : 'Add passkey'}
      submitLabel={passkey ? 'Save' : 'Continue'}
      onClose={onClose}
      isReady={given !== ''}
      submit={async () => {
        if (passkey) await api.passkeys.renamePasskey({ params: { uuid: passkey.uuid }, body: { name: given } });
        else await createPasskey(given);
        await queries.invalidateQueries({ queryKey: ownPasskeysQuery.queryKey });
        notify.done(passkey ? `${given} was saved.` : `${given} was added.`);
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        description={
          passkey
            ? undefined
            : 'The device that stores it, such as “Work laptop”. Your browser then asks where to save it.'
        }
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

// Creates a passkey in the browser and registers it.

/** Returns why this browser cannot create a passkey here, or undefined if it can. */
function checkPasskeySupport(): string | undefined {
  if (!window.isSecureContext) return 'Browsers create passkeys only over HTTPS or on localhost.';
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
    ? undefined
    : 'This browser does not support passkeys.';
}

async function createPasskey(name: string): Promise<void> {
  const options = await api.passkeys.startPasskeyRegistration({});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(throwBrowserRejection);
  if (!(credential instanceof PublicKeyCredential)) throw new BrowserRejection('The browser did not create a passkey.');
  // The platform accepts the browser's JSON as it is; DOM types declare only the standard members, hence the cast.
  type SentCredential = Parameters<typeof api.passkeys.registerPasskey>[0]['body']['credential'];
  await api.passkeys.registerPasskey({ body: { name, credential: credential.toJSON() as object as SentCredential } });
}

/** Browsers report cancellations and timeouts in the same way, so that pages cannot learn anything about the device. */
function throwBrowserRejection(error: unknown): never {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') throw new BrowserRejection('This device already has a passkey for your account.');
  if (name === 'NotAllowedError')
    throw new BrowserRejection('No passkey was created: the request was canceled or timed out.');
  throw error;
}
