// Search parameters for the automation pages.
export type ExampleKey = 'issuer-to-group' | 'tell-before-expiry' | 'leave-out-tests';

export interface NewSearch {
  readonly example?: ExampleKey;
  /** Type of object that the new trigger is assigned to. */
  readonly at?: 'raProfiles' | 'groups' | 'discoveries';
  readonly object?: string;
}

const examples: readonly ExampleKey[] = ['issuer-to-group', 'tell-before-expiry', 'leave-out-tests'];
const holders = ['raProfiles', 'groups', 'discoveries'] as const;

export function readNewSearch({ example, at, object }: Record<string, unknown>): NewSearch {
  const known = examples.find((each) => each === example);
  const holder = holders.find((each) => each === at);
  return {
    ...(known && { example: known }),
    ...(holder && typeof object === 'string' && { at: holder, object }),
  };
}

export const PART_TABS = ['triggers', 'rules', 'conditions', 'actions', 'executions'] as const;
export type PartTab = (typeof PART_TABS)[number];

export interface PartsSearch {
  readonly tab?: PartTab;
}

export function readPartsSearch({ tab }: Record<string, unknown>): PartsSearch {
  const known = PART_TABS.find((each) => each === tab);
  return known && known !== 'triggers' ? { tab: known } : {};
}
