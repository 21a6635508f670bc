// `signetry compliance`, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, type Replies, type Reply } from '../testing/fake-platform.ts';

const [uuid, runUuid, profile] = [
  '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e',
  '0197b1f4-5d3a-7cc2-9d4e-000000000002',
  '0197b1f4-5d3a-7cc2-9d4e-000000000003',
];
const certificate = {
  uuid,
  commonName: 'www.example.com',
  serialNumber: '0a',
  state: 'issued',
  validationStatus: 'valid',
  complianceStatus: 'nok',
  notAfter: '2027-11-20T12:00:00Z',
  raProfile: { uuid: profile, name: 'web' },
};
const run = (facts: object) => ({
  uuid: runUuid,
  state: 'finished',
  resource: 'certificates',
  startedAt: '2026-11-20T12:00:00Z',
  startedBy: 'ada',
  total: 3,
  processed: 3,
  compliant: 2,
  notCompliant: 1,
  notApplicable: 0,
  failed: 0,
  ...facts,
});
const page = { itemsPerPage: 100, pageNumber: 1, totalPages: 1, totalItems: 1 };

/** Returns the bodies in turn, then repeats the last one. */
function repliesInTurn(...bodies: readonly object[]): () => Reply {
  let place = 0;
  return () => ({ body: bodies[Math.min(place++, bodies.length - 1)] });
}

const runs = (...listed: readonly object[]) => ({ ...page, runs: listed });
const result = (facts: object): Reply => ({ body: { timestamp: '2026-11-20T12:00:01Z', failedRules: [], ...facts } });
const broken = { uuid: profile, name: 'Short-lived', status: 'nok', resource: 'certificates' };

const platform = (more: Replies = {}): Replies => ({
  [`GET /v1/certificates/${uuid}`]: { body: certificate },
  [`POST /v2/compliance/certificates/${uuid}`]: { status: 204 },
  [`GET /v2/compliance/certificates/${uuid}`]: result({ status: 'nok', failedRules: [broken] }),
  'GET /v2/complianceProfiles': { body: [{ uuid: profile, name: 'all', providerRulesCount: 0, providerGroupsCount: 0, internalRulesCount: 1, associations: 1 }] }, // prettier-ignore
  'POST /v2/compliance': { status: 204 },
  'GET /x/v1/compliance/runs': repliesInTurn(runs(run({ uuid: profile })), runs(run({}), run({ uuid: profile }))),
  [`GET /x/v1/compliance/runs/${runUuid}`]: repliesInTurn(run({ state: 'waiting', processed: 0 }), run({ state: 'running' }), run({})), // prettier-ignore
  'POST /x/v1/certificates/search': { body: { ...page, certificates: [certificate] } },
  ...more,
});

describe('compliance CERTIFICATE', () => {
  it('starts a check, waits for it and prints the violated rules', async () => {
    const { code, out, asked } = await ask(platform(), ['compliance', uuid]);
    expect(code).toBe(1);
    expect(out).toMatch(/Compliance +not compliant/);
    expect(out).toMatch(/violated +Short-lived/);
    const paths = asked.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
    expect(paths.filter((path) => path.endsWith(`/runs/${runUuid}`))).toHaveLength(3);
    expect(paths.at(-1)).toBe(`GET /api/v2/compliance/certificates/${uuid}`);
  });

  it.each(['ok', 'na', 'not_checked'])('succeeds for the status %s', async (status) => {
    const more = { [`GET /v2/compliance/certificates/${uuid}`]: result({ status }) };
    const { code, out } = await ask(platform(more), ['compliance', uuid, '--json']);
    expect([code, JSON.parse(out)]).toMatchObject([0, { certificateUuid: uuid, status }]);
  });
});

describe('compliance --all', () => {
  it('prints non-compliant certificates, and fails', async () => {
    const { code, out, err, asked } = await ask(platform(), ['compliance', '--all']);
    expect(code).toBe(1);
    expect(out.split('\n')[1]).toMatch(/^www\.example\.com +not compliant +web/);
    expect(err).toBe('3 checked: 2 compliant, 1 not compliant, 0 with no applicable rule.');
    expect(asked.find(({ path }) => path.startsWith('/api/v2/compliance?'))).toMatchObject({
      path: '/api/v2/compliance?resource=certificates',
      body: [profile],
    });
  });

  it('succeeds if all certificates comply, and fails if the run was stopped', async () => {
    const endedRun = (facts: object): Replies => ({
      [`GET /x/v1/compliance/runs/${runUuid}`]: { body: run({ notCompliant: 0, compliant: 3, ...facts }) },
      'POST /x/v1/certificates/search': { body: { ...page, totalItems: 0, certificates: [] } },
    });
    expect((await ask(platform(endedRun({})), ['compliance', '--all'])).code).toBe(0);
    const stopped = await ask(platform(endedRun({ state: 'stopped', stoppedBy: 'ada' })), ['compliance', '--all']);
    expect([stopped.code, stopped.err]).toMatchObject([1, expect.stringContaining('stopped by ada')]);
  });

  it('reports that there is no compliance profile, and cannot be combined with a single certificate', async () => {
    const none = await ask(platform({ 'GET /v2/complianceProfiles': { body: [] } }), ['compliance', '--all']);
    expect([none.code, none.err]).toMatchObject([
      1,
      expect.stringContaining('No compliance profile exists, or none is visible to you.'),
    ]);
    expect((await ask(platform(), ['compliance'])).code).toBe(2);
    expect((await ask(platform(), ['compliance', uuid, '--all'])).code).toBe(2);
  });
});
