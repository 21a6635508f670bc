// Values for the conformance check that the definitions do not determine: a key store that can be opened.
import { KEY_STORE } from '../key-stores.ts';
import { pkcs12 } from './key-store.ts';

export async function conformanceValues() {
  const password = 'conformance';
  const { bytes } = await pkcs12({ password });
  const content = Buffer.from(bytes).toString('base64');
  return {
    SoftKeyStore: {
      [KEY_STORE.file]: { content, fileName: 'store.p12', mimeType: 'application/x-pkcs12' },
      [KEY_STORE.password]: { secret: password },
    },
  };
}
