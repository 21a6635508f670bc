// The command that lists OIDs, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const team = {
  oid: '1.3.6.1.4.1.99999.1',
  displayName: 'Team',
  category: 'rdnAttributeType',
  additionalProperties: { code: 'TEAM', altCodes: ['CREW', 'T1'] },
};
const badge = { oid: '1.3.6.1.4.1.99999.2', displayName: 'Badge printing', category: 'extendedKeyUsage' };
const listReply = (oidEntries: readonly object[], totalPages = 1) => ({
  'POST /v1/oids/list': { body: { oidEntries, itemsPerPage: 1000, pageNumber: 1, totalItems: 2, totalPages } },
});

describe('oids list', () => {
  it('prints a table', async () => {
    const { code, out } = await ask(listReply([team, badge]), ['oids', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^Identifier +Name +Category +Code +Alternative codes$/),
      expect.stringMatching(/^1\.3\.6\.1\.4\.1\.99999\.1 +Team +RDN Attribute Type +TEAM +CREW, T1$/),
      expect.stringMatching(/^1\.3\.6\.1\.4\.1\.99999\.2 +Badge printing +Extended Key Usage\s*$/),
    ]);
  });

  it('reads every page', async () => {
    const { out } = await ask(listReply([badge], 3), ['oids', 'list', '--json']);
    expect(JSON.parse(out)).toEqual([badge, badge, badge]);
  });

  it('reports that there are no OIDs', async () => {
    const { code, out, err } = await ask(listReply([], 0), ['oids', 'list']);
    expect([code, out, err]).toEqual([0, '', 'No object identifiers.']);
  });
});
