// Goal: an event names other objects only for users who can see them, and is returned as the same object if nothing is
// hidden.
import type { Action, Resource } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { coreActor, type Actor } from '../../kernel/actor.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import { trimEvent } from './trim-event.ts';

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

describe('references to other objects in an event', () => {
  it('are removed, with their names, for users who cannot see the objects', () => {
    const raised = event({
      raProfileUuid: PROFILE,
      raProfileName: 'web',
      requesterUuid: OWN,
      discoveryUuid: PROFILE,
      discoveryName: 'net',
      discoveryConnectorUuid: PROFILE,
    });
    expect(trimEvent(raised, actorWith(['certificates', 'list'])).data).toEqual({
      certificateUuid: CERTIFICATE,
      subjectDn: 'CN=a',
      requesterUuid: OWN,
    });
  });

  it('are kept for users who can see those objects, which is checked separately for each kind', () => {
    const raised = event({ raProfileUuid: PROFILE, raProfileName: 'web', authorityInstanceUuid: PROFILE });
    const { authorityInstanceUuid: _hidden, ...rest } = raised.data;
    expect(trimEvent(raised, actorWith(['raProfiles', 'members'])).data).toEqual(rest);
  });

  it('do not change the original event object if nothing is hidden', () => {
    const raised = event({ raProfileUuid: PROFILE, raProfileName: 'web' });
    expect(trimEvent(raised, actorWith(['raProfiles', 'detail']))).toBe(raised);
  });

  it("to an approval's object and its recipient are checked against their respective resources", () => {
    const raised = event({
      resource: 'raProfiles',
      objectUuid: PROFILE,
      recipientType: 'group',
      recipientUuid: PROFILE,
    });
    expect(trimEvent(raised, actorWith(['groups', 'list'])).data).toMatchObject({ recipientUuid: PROFILE });
    expect(trimEvent(raised, actorWith(['groups', 'list'])).data).not.toHaveProperty('objectUuid');
    expect(trimEvent(raised, actorWith(['raProfiles', 'list'])).data).not.toHaveProperty('recipientUuid');
  });
});
