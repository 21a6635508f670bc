import { describe, expect, it } from 'vitest';
import { presentStatistics, type Visible } from './present.ts';
import type { Count } from './store.ts';

const count = (dimension: Count['dimension'], value: string, number: number): Count => ({
  dimension,
  value,
  count: number,
});

const counts: readonly Count[] = [
  count('state', 'issued', 4),
  count('state', 'requested', 1),
  count('subjectType', '', 1),
  count('subjectType', 'endEntity', 4),
  count('group', '', 2),
  count('group', 'web', 2),
  count('group', 'mail', 1),
  count('raProfile', 'default', 4),
  count('raProfile', '', 1),
  count('expiry', '0', 1),
  count('expiry', '6', 3),
  count('all', 'groups', 7),
  count('raProfileStatus', 'enabled', 6),
  count('raProfileStatus', 'disabled', 2),
  count('connector', 'connected', 3),
  count('connector', 'offline', 1),
  count('all', 'credentials', 9),
  count('all', 'authorities', 10),
];

const present = (visible: Partial<Visible> = {}, more: readonly Count[] = []) =>
  presentStatistics([...counts, ...more], { certificates: true, groups: true, raProfiles: true, ...visible });

describe('statistics in the API format', () => {
  it('use "Unassigned" for a missing value and "Not Issued" for a missing expiry', () => {
    expect(present()).toMatchObject({
      totalCertificates: 5,
      totalGroups: 7,
      totalDiscoveries: 0,
      totalRaProfiles: 8,
      totalConnectors: 4,
      totalCredentials: 9,
      totalAuthorities: 10,
      connectorStatByStatus: { connected: 3, offline: 1 },
      raProfileStatByStatus: { enabled: 6, disabled: 2 },
      certificateStatByState: { issued: 4, requested: 1 },
      certificateStatBySubjectType: { endEntity: 4, Unassigned: 1 },
      groupStatByCertificateCount: { web: 2, mail: 1, Unassigned: 3 },
      raProfileStatByCertificateCount: { default: 4, Unassigned: 1 },
      certificateStatByExpiry: { Expired: 1, More: 3, 'Not Issued': 1 },
      certificateStatByKeySize: {},
    });
  });

  it('contain no certificate statistics for callers who cannot list certificates', () => {
    const shown = present({ certificates: false });
    expect(shown).toMatchObject({ totalCertificates: 0, totalGroups: 7, totalRaProfiles: 8, totalConnectors: 4 });
    for (const [name, figure] of Object.entries(shown))
      if (/^certificateStat|Count$/.test(name)) expect(figure).toEqual({});
  });

  it('contain no group or RA profile names for callers who cannot list them', () => {
    expect(present({ groups: false, raProfiles: false })).toMatchObject({
      totalCertificates: 5,
      groupStatByCertificateCount: {},
      raProfileStatByCertificateCount: {},
    });
  });

  it('accept any group name, including reserved ones', () => {
    const named = present({}, [count('group', '__proto__', 3), count('group', 'Unassigned', 1)]);
    expect(Object.entries(named.groupStatByCertificateCount ?? {})).toEqual([
      ['web', 2],
      ['mail', 1],
      ['__proto__', 3],
      ['Unassigned', 4],
    ]);
  });
});
