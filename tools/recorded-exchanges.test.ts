import { describe, expect, it } from 'vitest';
import { recordings, replay } from './recorded-exchanges.ts';

/** Response or rejection as the platform reads it. */
const expected: Readonly<Record<string, object>> = {
  'ctlogs-discover-null-lists': { response: { status: 'inProgress', certificateData: [] } },
  'ip-discover-null-meta': { response: { status: 'inProgress', certificateData: [] } },
  'keystore-csr-response': {
    response: {
      csr: expect.stringMatching(/^LS0tLS1CRUdJTiBORVcg/),
      pushAttributes: [{ name: 'alias', uuid: expect.stringMatching(/^[\da-f-]{36}$/), content: [{ data: 'web' }] }],
    },
  },
  'soft-activate-400-body': {
    failure: { kind: 'refused', status: 400, remoteMessage: expect.stringContaining('Cannot activate token ftok1') },
  },
  'soft-secret-form-501': {
    failure: { kind: 'notOffered', status: 501, remoteMessage: 'Secret keys are not supported.' },
  },
  'vault-callback-without-slash': {
    response: [
      { attributeCallback: { callbackContext: 'v1/authorityProvider/credentialType/{credentialsType}/callback' } },
    ],
  },
};

describe.each(recordings)('the recorded exchange $file', (recording) => {
  it('is read by the platform', async () => {
    expect(await replay(recording)).toMatchObject(expected[recording.file] ?? expect.fail('nothing is expected'));
  });

  it('passes the conformance check', async () => {
    expect((await replay(recording)).problem).toBeUndefined();
  });
});
