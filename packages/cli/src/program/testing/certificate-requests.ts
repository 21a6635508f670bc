// Runs `certificate request` against a platform that issues certificates.
import { fromBase64, readCertificationRequest, toBase64 } from '@signetry/pki';
import { createFakeAuthority } from './fake-authority.ts';
import { run, startFakePlatform, temporaryFolder, type Replies, type Reply } from './fake-platform.ts';

export const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
export const authorityInstanceUuid = '0197b1f4-1111-7cc2-9d4e-2f6a7b8c9d0e';
export const profile = {
  uuid: '0197b1f4-2222-7cc2-9d4e-2f6a7b8c9d0e',
  name: 'default',
  enabled: true,
  authorityInstanceUuid,
};
export const other = { ...profile, uuid: '0197b1f4-3333-7cc2-9d4e-2f6a7b8c9d0e', name: 'web' };
const off = { ...profile, name: 'off', enabled: false };

export const PROFILES = 'GET /v1/raProfiles';
export const ISSUE = `POST /v2/operations/authorities/${authorityInstanceUuid}/raProfiles/${profile.uuid}/certificates`;
export const DETAIL = `GET /v1/certificates/${uuid}`;
export const CHAIN = `GET /v1/certificates/${uuid}/chain`;
export const HISTORY = `GET /v1/certificates/${uuid}/history`;

/** Starts a platform that issues immediately; the replies of the test override its own. */
export async function startIssuingPlatform(replies: Replies = {}) {
  const authority = await createFakeAuthority();
  const issue = async (body: unknown): Promise<Reply> => ({
    body: { uuid, certificateData: await authority.issue((body as { request: string }).request) },
  });
  const root = { uuid: 'root', commonName: 'Test Root', certificateContent: toBase64(authority.root) };
  const platform = await startFakePlatform({
    [PROFILES]: { body: [off, other, profile] },
    [ISSUE]: ({ body }) => issue(body),
    [CHAIN]: { body: { completeChain: true, certificates: [root] } },
    ...replies,
  });
  return { platform, authority };
}

export async function request(args: readonly string[], replies: Replies = {}) {
  const { platform } = await startIssuingPlatform(replies);
  const cwd = temporaryFolder();
  const ran = await run(['certificate', 'request', ...args, '--data', platform.data], { cwd });
  return { ...ran, cwd, asked: platform.asked };
}

export const requestOf = (asked: readonly { path: string; body: unknown }[]) => {
  const sent = asked.find(({ path }) => path.endsWith('/certificates'))?.body as { request: string };
  return readCertificationRequest(fromBase64(sent.request));
};
