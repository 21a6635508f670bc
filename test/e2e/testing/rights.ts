// Permissions in a form that tests can write, the rejection of callers without them, and objects to have permissions
// on.
import type { Client } from '@signetry/client';
import type { Resource, ResourcePermissionsRequestDto } from '@signetry/contract';
import { expect } from 'vitest';
import { issue, rejectionOf } from './certificates.ts';
import { createAuthority, defaultProfile } from './profiles.ts';
import { makeRequest } from './requests.ts';

export const resourceRights = (name: Resource, ...actions: string[]): ResourcePermissionsRequestDto => ({
  name,
  allowAllActions: false,
  actions,
});
export const objectRights = (
  name: Resource,
  uuid: string,
  rights: { allow?: string[]; deny?: string[] },
): ResourcePermissionsRequestDto => ({
  name,
  allowAllActions: false,
  objects: [{ uuid, name: 'object', ...rights }],
});
export const expectForbidden = async (call: Promise<unknown>): Promise<void> => {
  expect(await rejectionOf(call)).toMatchObject({ status: 403 });
};

/** Issues a certificate under the default RA profile, and one under that of a second authority. */
export async function issueUnderTwoProfiles(admin: Client) {
  const first = await defaultProfile(admin);
  const second = await createAuthority(admin, { name: 'Second CA' });
  return {
    first,
    second,
    ofFirst: await issue(admin, first, await makeRequest({ subject: 'CN=first.rights.example' })),
    ofSecond: await issue(admin, second, await makeRequest({ subject: 'CN=second.rights.example' })),
  };
}
