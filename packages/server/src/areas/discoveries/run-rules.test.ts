import type { DiscoveryProviderDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import {
  defaultLimits,
  digestOfMetadata,
  digestOfRequest,
  endingOf,
  expectedOn,
  isFinal,
  pollDelayMs,
  pagesOf,
  reasonIn,
  retryDelayMs,
} from './run-rules.ts';
import { evaluatePages, UnusablePages } from './read-pages.ts';

const all = { connector_status: 'completed', announced: 10, results_read: 10, refused: 0, warning: null } as const;

describe('a discovery whose pages have all been read', () => {
  it('is completed only if all announced results were imported and the provider reports success', () => {
    expect(endingOf(all)).toEqual({ status: 'completed', message: null });
    expect(endingOf({ ...all, results_read: 9 })).toEqual({
      status: 'warning',
      message: 'The provider reported 10 results but returned 9.',
    });
    expect(endingOf({ ...all, refused: 2 }).status).toBe('warning');
    expect(endingOf({ ...all, connector_status: 'warning' }).status).toBe('warning');
    expect(endingOf({ ...all, warning: 'Page 2 was empty.', results_read: 5 })).toEqual({
      status: 'warning',
      message: 'Page 2 was empty.',
    });
  });

  it('fails if the provider failed, and reports the number of imported results', () => {
    expect(endingOf({ ...all, connector_status: 'failed', refused: 1 })).toEqual({
      status: 'failed',
      message: 'The provider reported a failure; 9 of 10 results were imported.',
    });
  });
});

describe("a provider's reason", () => {
  const meta = (name: string, contentType: 'text' | 'integer', ...data: (string | number)[]) =>
    ({ name, contentType, content: data.map((each) => ({ data: each })) }) as unknown as MetadataAttribute;

  it('is part of the message of a discovery with a warning, or of a failed one', () => {
    const reason = reasonIn([meta('totalUrls', 'integer', 3), meta('reason', 'text', 'host a:\n refused', ' ')]);
    expect(endingOf({ ...all, connector_status: 'warning' }, reason).message).toBe(
      'The provider reported a warning: "host a: refused".',
    );
    expect(endingOf({ ...all, connector_status: 'failed' }, reason).message).toBe(
      'The provider reported a failure: "host a: refused"; 10 of 10 results were imported.',
    );
  });

  it('is bounded, and reported as missing if there is none', () => {
    expect(reasonIn([meta('reason', 'text', 'x'.repeat(5_000))]).length).toBeLessThan(520);
    expect(reasonIn([meta('failedUrls', 'integer', 3), meta('source', 'text', 'web')])).toBe('');
    expect(endingOf({ ...all, connector_status: 'warning' }).message).toContain('without a reason');
  });
});

describe('a failed call', () => {
  it('is retried for several minutes while the connector is unreachable, a few times after an error, and never after a rejection', () => {
    const failed = { kind: 'unreachable', failures: 30, silentMs: defaultLimits.outageMs - 1 } as const;
    expect(isFinal(failed, defaultLimits)).toBe(false);
    expect(isFinal({ ...failed, silentMs: defaultLimits.outageMs }, defaultLimits)).toBe(true);
    expect(isFinal({ kind: 'failed', failures: 3, silentMs: 0 }, defaultLimits)).toBe(false);
    expect(isFinal({ kind: 'failed', failures: 4, silentMs: 0 }, defaultLimits)).toBe(true);
    for (const kind of ['notFound', 'notOffered', 'refused', 'rejected', 'forbidden'] as const)
      expect(isFinal({ kind, failures: 1, silentMs: 0 }, defaultLimits)).toBe(true);
  });

  it('is repeated, like a progress check, at increasing intervals up to a limit', () => {
    expect([0, 1, 20].map(retryDelayMs)).toEqual([1_000, 2_000, 30_000]);
    expect([0, 2, 50].map(pollDelayMs)).toEqual([250, 562.5, 5_000]);
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
  const evaluate = (announced: number, ...pages: DiscoveryProviderDto[]) =>
    evaluatePages(
      { announced, page_size: 100 },
      { from: 3, pages: new Map(pages.map((each, index) => [index + 4, each])) },
    );

  it('are calculated from the announced total', () => {
    expect([0, 1, 100, 101].map((announced) => pagesOf(announced, 100))).toEqual([0, 1, 1, 2]);
    expect([1, 2, 3, 4].map((number) => expectedOn(number, { announced: 250, page_size: 100 }))).toEqual([
      100, 100, 50, 0,
    ]);
  });

  it('are returned with the position of each result', () => {
    const { from, to, isLast, warning, results } = evaluate(450, page(100, 450), page(50, 450));
    expect([from, to, isLast, warning, results.length]).toEqual([3, 5, false, null, 150]);
    expect(results.at(-1)).toMatchObject({ page: 5, onPage: 50, place: 450 });
  });

  it('end at the first empty page; later pages are ignored', () => {
    const set = evaluate(600, page(100, 600), page(0, 600), page(100, 600));
    expect([set.to, set.isLast, set.results.length]).toEqual([4, true, 100]);
    expect(set.warning).toBe('Page 5 from the provider was empty, although it reported 600 results.');
  });

  it('produce a warning if the provider changes its total, and are rejected if they contain too many results', () => {
    expect(evaluate(400, page(100, 401)).warning).toMatch(/reported 400 results, but 401 while they were being read/);
    expect(() => evaluate(400, page(101, 400))).toThrow(UnusablePages);
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

  it('of metadata depend on its values, and the sum of the digests does not depend on their order', () => {
    const [a, b] = [digestOfMetadata([found('a')]), digestOfMetadata([found('b')])];
    expect(a).not.toBe(b);
    expect(digestOfMetadata([])).toBe(0n);
    expect(digestOfMetadata([found('a'), found('b')])).toBe(digestOfMetadata([found('b'), found('a')]));
  });

  it('of requests depend only on the connector, the kind and the values', () => {
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
