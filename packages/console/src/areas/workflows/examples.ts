// Example triggers. Organization-specific values are left empty.
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
    sentence: "When a certificate from your own issuer is discovered, add it to its team's group.",
    values: {
      ...emptyValues,
      name: 'Assign discovered certificates to their team',
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
    sentence: 'When a certificate without an owner is about to expire, notify operations.',
    values: {
      ...emptyValues,
      name: 'Notify about expiring certificates without an owner',
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
    sentence: 'When a certificate for a test system is discovered, exclude it from the inventory.',
    values: {
      ...emptyValues,
      name: 'Exclude test systems from the inventory',
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
