// Has the browser make a passkey and registers it.
import { api } from '../../api/client.ts';
import { BrowserRefusal } from '../../ui/browser-refusal.ts';

/** Why this browser cannot make one here; undefined where it can. */
export function whyNoPasskey(): string | undefined {
  if (!window.isSecureContext) return 'Browsers make passkeys only on HTTPS, or on localhost.';
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
    ? undefined
    : 'This browser does not support passkeys.';
}

export async function makePasskey(name: string): Promise<void> {
  const options = await api.passkeys.startPasskeyRegistration({});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(refusedByBrowser);
  if (!(credential instanceof PublicKeyCredential)) throw new BrowserRefusal('The browser made no passkey.');
  // What browsers answer is what the platform reads; their types have no members beyond those of the standard.
  type Sent = Parameters<typeof api.passkeys.registerPasskey>[0]['body']['credential'];
  await api.passkeys.registerPasskey({ body: { name, credential: credential.toJSON() as object as Sent } });
}

/** Browsers do not say which it was, so that pages learn nothing about the device. */
function refusedByBrowser(error: unknown): never {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') throw new BrowserRefusal('This device already has a passkey for your account.');
  if (name === 'NotAllowedError') throw new BrowserRefusal('No passkey was made: it was cancelled, or took too long.');
  throw error;
}
