import { describe, expect, it } from 'vitest';
import { platformEnums } from '../enums/catalog.ts';
import { conditionsByType, propertyFields } from './filter-fields.ts';
import type { PropertyField } from './filter-fields.ts';

describe('the filter field catalog', () => {
  const all = Object.values(propertyFields).flatMap((fields) => Object.entries<PropertyField>(fields));

  it('contains the 107 published fields of 10 resources, our own fields and those of connectors, each identifier once', () => {
    expect(Object.keys(propertyFields)).toHaveLength(10 + 1);
    expect(new Set(all.map(([identifier]) => identifier)).size).toBe(107 + 2 + 6);
  });

  it('allows multiple values and enumerations only for lists', () => {
    for (const [identifier, field] of all) {
      expect([identifier, field.multiValue]).toEqual([identifier, field.type === 'list']);
      if (field.platformEnum) expect([identifier, field.type]).toEqual([identifier, 'list']);
      if (field.platformEnum) expect(platformEnums).toHaveProperty(field.platformEnum);
    }
  });

  it('offers counts for fields that lead to multiple objects', () => {
    const counted = all
      .filter(([, field]) => field.conditions.includes('COUNT_EQUAL'))
      .map(([identifier]) => identifier);
    expect(counted).toEqual([
      'GROUP_NAME',
      'CERT_LOCATION_NAME',
      'SUCCEEDING_CERTIFICATES',
      'PRECEDING_CERTIFICATES',
      'CK_GROUP',
    ]);
    expect(conditionsByType.list).not.toContain('COUNT_EQUAL');
  });

  it('permits rules to set only the owner, the groups and the RA profile', () => {
    const settable = all.filter(([, field]) => field.settable).map(([identifier]) => identifier);
    expect(settable).toEqual(['RA_PROFILE_NAME', 'GROUP_NAME', 'OWNER', 'CK_GROUP', 'CK_OWNER']);
  });
});
