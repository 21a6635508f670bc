import { describe, expect, it } from 'vitest';
import { pageOfNotification } from './target-page.ts';

const notification = { uuid: 'n', message: 'Something happened.', sentAt: '2026-01-01T00:00:00Z' };

describe('the page for a notification', () => {
  it.each([
    [{ targetObjectType: 'certificates', targetObjectIdentification: ['c'] }, '/certificates/c'],
    [{ targetObjectType: 'approvals', targetObjectIdentification: ['parent', 'a'] }, '/approvals/a'],
    [{ targetObjectType: 'certificates' }, '/certificates/changes'],
    [{ targetObjectType: 'jobs' }, undefined],
    [{ targetObjectType: 'settings', targetObjectIdentification: ['s'] }, undefined],
    [{}, undefined],
  ] as const)('about %j is %s', (about, page) =>
    expect(
      pageOfNotification({
        ...notification,
        ...('targetObjectType' in about && { targetObjectType: about.targetObjectType }),
        ...('targetObjectIdentification' in about && {
          targetObjectIdentification: [...about.targetObjectIdentification],
        }),
      }),
    ).toBe(page),
  );
});
