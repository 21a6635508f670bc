// Triggers to begin with. What differs from one organisation to another is left open.
import { emptyValues, newStep, type TriggerValues } from './trigger-values.ts';
import type { ExampleKey } from './new-search.ts';

export interface Example {
  readonly key: ExampleKey;
  readonly sentence: string;
  readonly values: TriggerValues;
}

const property = 'property' as const;

export const examples: readonly Example[] = [
  {
    key: 'issuer-to-group',
    sentence: 'When a certificate is discovered whose issuer is yours, then put it into the group of its team.',
    values: {
      ...emptyValues,
      name: 'Discovered certificates to their team',
      event: 'certificate_discovered',
      blocks: [
        {
          resource: 'certificates',
          items: [
            { fieldSource: property, fieldIdentifier: 'ISSUER_COMMON_NAME', condition: 'CONTAINS', value: 'Corp' },
          ],
          sharedWith: [],
        },
      ],
      steps: [newStep([], { fieldSource: property, fieldIdentifier: 'GROUP_NAME' })],
    },
  },
  {
    key: 'tell-before-expiry',
    sentence: 'When a certificate is about to expire that nobody owns, then notify operations.',
    values: {
      ...emptyValues,
      name: 'Tell about certificates without owner before they expire',
      event: 'certificate_expiring',
      blocks: [
        {
          resource: 'certificates',
          items: [{ fieldSource: property, fieldIdentifier: 'OWNER', condition: 'EMPTY' }],
          sharedWith: [],
        },
      ],
      steps: [newStep([], { notificationProfileUuid: '' })],
    },
  },
  {
    key: 'leave-out-tests',
    sentence:
      'When a certificate is discovered whose name is that of a test system, then leave it out of the inventory.',
    values: {
      ...emptyValues,
      name: 'Test systems stay out of the inventory',
      event: 'certificate_discovered',
      ignores: true,
      blocks: [
        {
          resource: 'certificates',
          items: [{ fieldSource: property, fieldIdentifier: 'COMMON_NAME', condition: 'ENDS_WITH', value: '.test' }],
          sharedWith: [],
        },
      ],
    },
  },
];

export const exampleOf = (key: ExampleKey | undefined): TriggerValues | undefined =>
  examples.find((example) => example.key === key)?.values;
