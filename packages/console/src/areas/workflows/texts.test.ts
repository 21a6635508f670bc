// Triggers as sentences for users.
import type { PlacedTrigger } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { sentenceOf, textOf, describeAssignment } from './texts.ts';

const condition = (items: PlacedTrigger['rules'][number]['conditions'][number]['items']) => ({
  uuid: 'c',
  name: 'c',
  resource: 'certificates' as const,
  type: 'checkField' as const,
  items,
});

const trigger = (more: Partial<PlacedTrigger>): PlacedTrigger => ({
  uuid: 't',
  name: 't',
  resource: 'certificates',
  type: 'event',
  event: 'certificate_discovered',
  ignoreTrigger: false,
  rules: [],
  actions: [],
  activity: { failuresOfDay: 0 },
  places: [],
  ...more,
});

const ruleOf = (...items: Parameters<typeof condition>[0]) => [
  { uuid: 'r', name: 'r', resource: 'certificates' as const, conditions: [condition(items)] },
];

const property = 'property' as const;

describe('a trigger as a sentence', () => {
  it('contains the event, the conditions and the actions', () => {
    const given = trigger({
      rules: ruleOf(
        { fieldSource: property, fieldIdentifier: 'ISSUER_COMMON_NAME', operator: 'CONTAINS', value: 'Corp CA' },
        { fieldSource: property, fieldIdentifier: 'KEY_SIZE', operator: 'EQUALS', value: ['1024', '2048'] },
        { fieldSource: property, fieldIdentifier: 'OWNER', operator: 'EMPTY' },
      ),
      actions: [
        {
          uuid: 'a',
          name: 'a',
          resource: 'certificates',
          executions: [
            { uuid: 'e', name: 'e', resource: 'certificates', type: 'setField', items: [
              { fieldSource: property, fieldIdentifier: 'GROUP_NAME', data: [{ uuid: '1', name: 'Legacy' }, { uuid: '2', name: 'Old' }] },
              { fieldSource: 'custom', fieldIdentifier: 'team|STRING', data: [{ data: 'network' }] },
              { fieldSource: property, fieldIdentifier: 'OWNER', data: [] },
            ] },
            { uuid: 'f', name: 'f', resource: 'certificates', type: 'sendNotification', items: [
              { notificationProfileUuid: 'n', notificationProfileName: 'Operations' },
            ] },
          ],
        },
      ],
    }); // prettier-ignore
    expect(textOf(sentenceOf(given))).toBe(
      'When a certificate is discovered whose issuer contains “Corp CA” and whose key size is 1024 or 2048 and ' +
        'that has no owner, then set the groups to “Legacy” and “Old”, set the “team” to “network”, remove the owner ' +
        'and notify “Operations”.',
    );
  });

  it('states what happens to ignored objects, and where', () => {
    const ignoring = trigger({ ignoreTrigger: true });
    expect(textOf(sentenceOf(ignoring))).toBe('When a certificate is discovered, then exclude it from the inventory.');
    expect(describeAssignment({ event: 'certificate_discovered', triggeredBy: 'admin' })).toBe('Everywhere');
  });

  it('uses the events of its places if it has none of its own', () => {
    const { event: _, ...without } = trigger({
      ignoreTrigger: true,
      rules: ruleOf({ fieldSource: property, fieldIdentifier: 'NOT_AFTER', operator: 'IN_NEXT', value: 'P30D' }),
      places: [
        { event: 'certificate_expiring', triggeredBy: 'admin' },
        { event: 'certificate_not_compliant', triggeredBy: 'admin' },
      ],
    });
    expect(textOf(sentenceOf(without))).toBe(
      'When a certificate is about to expire or a compliance violation is found in a certificate that expires in the ' +
        'next 30 days, then stop processing rules.',
    );
  });
});
