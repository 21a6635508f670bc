import type { DiscoveryProviderDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import {
  defaultLimits,
  digestOfMetadata,
  digestOfRequest,
  endingOf,
  expectedOn,
  isFinal,
  lookDelayMs,
  pagesOf,
  retryDelayMs,
} from './run-rules.ts';
import { judgePages, UnusablePages } from './read-pages.ts';

const all = { connector_status: 'completed', announced: 10, results_read: 10, refused: 0, warning: null } as const;

describe('the end of a discovery whose pages were read', () => {
  it('is completed only when everything that was announced was taken, by a provider that is content', () => {
    expect(endingOf(all)).toEqual({ status: 'completed', message: null });
    expect(endingOf({ ...all, results_read: 9 })).toEqual({
      status: 'warning',
      message: 'The provider announced 10 results and gave 9.',
    });
    expect(endingOf({ ...all, refused: 2 }).status).toBe('warning');
    expect(endingOf({ ...all, connector_status: 'warning' }).status).toBe('warning');
    expect(endingOf({ ...all, warning: 'Page 2 came empty.', results_read: 5 })).toEqual({
      status: 'warning',
      message: 'Page 2 came empty.',
    });
  });

  it('is failed where the provider failed, with what was taken', () => {
    expect(endingOf({ ...all, connector_status: 'failed', refused: 1 })).toEqual({
      status: 'failed',
      message: 'The provider reports that it failed; 9 of 10 results were taken in.',
    });
  });
});

describe('a failed call', () => {
  it('is repeated for minutes while the connector is out of reach, a few times after an error, never after a refusal', () => {
    const failed = { kind: 'unreachable', failures: 30, silentMs: defaultLimits.outageMs - 1 } as const;
    expect(isFinal(failed, defaultLimits)).toBe(false);
    expect(isFinal({ ...failed, silentMs: defaultLimits.outageMs }, defaultLimits)).toBe(true);
    expect(isFinal({ kind: 'failed', failures: 3, silentMs: 0 }, defaultLimits)).toBe(false);
    expect(isFinal({ kind: 'failed', failures: 4, silentMs: 0 }, defaultLimits)).toBe(true);
    for (const kind of ['notFound', 'notOffered', 'refused', 'rejected', 'forbidden'] as const)
      expect(isFinal({ kind, failures: 1, silentMs: 0 }, defaultLimits)).toBe(true);
  });

  it('and a look are repeated less and less often, up to a bound', () => {
    expect([0, 1, 20].map(retryDelayMs)).toEqual([1_000, 2_000, 30_000]);
    expect([0, 2, 50].map(lookDelayMs)).toEqual([250, 562.5, 5_000]);
  });
});

describe('pages', () => {
  const meta: MetadataAttribute[] = [];
  const page = (results: number, total: number): DiscoveryProviderDto => ({
    uuid: 'there',
    name: 'found',
    status: 'completed',
    totalCertificatesDiscovered: total,
    certificateData: Array.from({ length: results }, (_, index) => ({ uuid: `${index}`, base64Content: '', meta })),
    meta,
  });
  const judge = (announced: number, ...pages: DiscoveryProviderDto[]) =>
    judgePages(
      { announced, page_size: 100 },
      { from: 3, pages: new Map(pages.map((each, index) => [index + 4, each])) },
    );

  it('follow from what was announced', () => {
    expect([0, 1, 100, 101].map((announced) => pagesOf(announced, 100))).toEqual([0, 1, 1, 2]);
    expect([1, 2, 3, 4].map((number) => expectedOn(number, { announced: 250, page_size: 100 }))).toEqual([
      100, 100, 50, 0,
    ]);
  });

  it('are taken with the place of every result', () => {
    const { from, to, isLast, warning, results } = judge(450, page(100, 450), page(50, 450));
    expect([from, to, isLast, warning, results.length]).toEqual([3, 5, false, null, 150]);
    expect(results.at(-1)).toMatchObject({ page: 5, onPage: 50, place: 450 });
  });

  it('end at one that is empty, and the ones behind it are not taken', () => {
    const set = judge(600, page(100, 600), page(0, 600), page(100, 600));
    expect([set.to, set.isLast, set.results.length]).toEqual([4, true, 100]);
    expect(set.warning).toBe('Page 5 of the provider came empty, although it announced 600 results.');
  });

  it('of a provider that says another total are taken with a warning; those with too many results are refused', () => {
    expect(judge(400, page(100, 401)).warning).toMatch(/announced 400 results, and 401 while they were read/);
    expect(() => judge(400, page(101, 400))).toThrow(UnusablePages);
  });
});

describe('digests', () => {
  const found = (place: string): MetadataAttribute => ({
    version: 2,
    uuid: '0193f0a2-7c10-7000-8000-00000000d002',
    name: 'source',
    type: 'meta',
    contentType: 'string',
    properties: { label: 'Source', visible: true, global: false, overwrite: false },
    content: [{ data: place }],
  });

  it('of metadata differ with what it says, and their sum does not with the order', () => {
    const [a, b] = [digestOfMetadata([found('a')]), digestOfMetadata([found('b')])];
    expect(a).not.toBe(b);
    expect(digestOfMetadata([])).toBe(0n);
    expect(digestOfMetadata([found('a'), found('b')])).toBe(digestOfMetadata([found('b'), found('a')]));
  });

  it('of requests are those of connector, kind and values', () => {
    const value = (name: string, data: string): RequestAttributeDto => ({
      uuid: name,
      name,
      contentType: 'string',
      content: [{ data }],
    });
    const asked = { connectorUuid: 'A', kind: 'Net', attributes: [value('host', 'a'), value('port', '1')] };
    const same = { ...asked, connectorUuid: 'a', attributes: asked.attributes.toReversed() };
    expect(digestOfRequest(same)).toBe(digestOfRequest(asked));
    expect(digestOfRequest({ ...asked, kind: 'Other' })).not.toBe(digestOfRequest(asked));
    expect(digestOfRequest({ ...asked, attributes: [value('host', 'b'), value('port', '1')] })).not.toBe(
      digestOfRequest(asked),
    );
  });
});
