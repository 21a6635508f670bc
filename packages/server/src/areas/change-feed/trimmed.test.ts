// Goal: an event names other objects only to those who may look at them, and stays the same value where nothing is
// hidden.
import type { Action, Resource } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { coreActor, type Actor } from '../../kernel/actor.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import { trimmed } from './trimmed.ts';

const CERTIFICATE = '00000000-0000-7000-8000-000000000001';
const PROFILE = '00000000-0000-7000-8000-000000000002';
const OWN = '00000000-0000-7000-8000-000000000003';

const event = (data: PublishedEvent['data']): PublishedEvent => ({
  position: 1,
  uuid: CERTIFICATE,
  event: 'certificate_action_performed',
  resource: 'certificates',
  objectUuid: CERTIFICATE,
  data: { certificateUuid: CERTIFICATE, subjectDn: 'CN=a', ...data },
  raisedAt: new Date(0),
});

const actorWith = (...rights: (readonly [Resource, Action])[]): Actor => ({
  ...coreActor,
  userUuid: OWN,
  permissions: {
    allowAllResources: false,
    resources: new Map(rights.map(([name, action]) => [name, { allowAllActions: false, actions: new Set([action]) }])),
  },
});

describe('what an event says of other objects', () => {
  it('is left out with their names for those who may not look at them', () => {
    const raised = event({
      raProfileUuid: PROFILE,
      raProfileName: 'web',
      requesterUuid: OWN,
      discoveryUuid: PROFILE,
      discoveryName: 'net',
      discoveryConnectorUuid: PROFILE,
    });
    expect(trimmed(raised, actorWith(['certificates', 'list'])).data).toEqual({
      certificateUuid: CERTIFICATE,
      subjectDn: 'CN=a',
      requesterUuid: OWN,
    });
  });

  it('is told to those who may, of every kind apart', () => {
    const raised = event({ raProfileUuid: PROFILE, raProfileName: 'web', authorityInstanceUuid: PROFILE });
    const { authorityInstanceUuid: _hidden, ...rest } = raised.data;
    expect(trimmed(raised, actorWith(['raProfiles', 'members'])).data).toEqual(rest);
  });

  it('leaves the event the same value where nothing is hidden', () => {
    const raised = event({ raProfileUuid: PROFILE, raProfileName: 'web' });
    expect(trimmed(raised, actorWith(['raProfiles', 'detail']))).toBe(raised);
  });

  it('follows the resource that an approval and its recipient are about', () => {
    const raised = event({
      resource: 'raProfiles',
      objectUuid: PROFILE,
      recipientType: 'group',
      recipientUuid: PROFILE,
    });
    expect(trimmed(raised, actorWith(['groups', 'list'])).data).toMatchObject({ recipientUuid: PROFILE });
    expect(trimmed(raised, actorWith(['groups', 'list'])).data).not.toHaveProperty('objectUuid');
    expect(trimmed(raised, actorWith(['raProfiles', 'list'])).data).not.toHaveProperty('recipientUuid');
  });
});
