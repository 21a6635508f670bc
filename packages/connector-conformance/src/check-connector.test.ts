// The check finds every injected fault, and no fault in correct connectors.
import { faults, startPlainAuthority, type PlainAuthority } from '@signetry/testkit/connectors';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConnector } from './check-connector.ts';
import { httpTransport } from './transport.ts';

let connector: PlainAuthority | undefined;
afterEach(() => connector?.close());

describe('a connector written with plain HTTP', () => {
  it('passes, and every object created during the check is removed', async () => {
    connector = await startPlainAuthority();
    const { results, counts, conforms } = await checkConnector({ transport: httpTransport(connector.url) });
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notChecked')).toEqual([]);
    expect(conforms).toBe(true);
    expect(results.filter(({ outcome }) => outcome === 'notOffered').map(({ check }) => check)).toEqual([
      'includes a revoked certificate in the CRL',
      'returns a delta CRL',
    ]);
    expect(counts.passed).toBeGreaterThan(40);
    const left = await fetch(`${connector.url}/v1/authorityProvider/authorities`);
    expect(await left.json()).toEqual([]);
  });

  it('is called with the values specified by the user', async () => {
    const names: unknown[] = [];
    connector = await startPlainAuthority((call, answer) => {
      const attributes = (call.body as { attributes?: { name: string; content: { data: unknown }[] }[] } | undefined)
        ?.attributes;
      if (call.path.endsWith('/authorities') && call.method === 'POST')
        names.push(attributes?.find(({ name }) => name === 'data_commonName')?.content[0]?.data);
      return answer(call);
    });
    const values = { PlainCA: { data_commonName: 'My own name' } };
    expect((await checkConnector({ transport: httpTransport(connector.url), values })).conforms).toBe(true);
    expect(names).toContain('My own name');
  });
});

describe('the check detects a connector fault', () => {
  it.each(Object.entries(faults))('%s', async (_title, { filter, foundBy }) => {
    connector = await startPlainAuthority(filter);
    const { results, conforms } = await checkConnector({ transport: httpTransport(connector.url) });
    const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check);
    expect(failed).toContain(foundBy);
    expect(conforms).toBe(false);
    for (const { problem, evidence } of results.filter(({ outcome }) => outcome === 'failed')) {
      expect(problem).toMatch(/\.$/);
      expect(evidence?.sent).toMatch(/^[A-Z]+ \/v/);
    }
  });
});

describe('a deviation from the published document that platforms tolerate', () => {
  it('is noted in the affected check, which still passes', async () => {
    connector = await startPlainAuthority(async (call, answer) => {
      const given = await answer(call);
      if (call.method !== 'GET' || !call.path.endsWith('/PlainCA/attributes')) return given;
      const definitions = given.body as readonly { readonly name: string; readonly properties?: object }[];
      return {
        ...given,
        body: definitions.map((each) =>
          each.name === 'data_commonName' ? { ...each, properties: { ...each.properties, required: 'true' } } : each,
        ),
      };
    });
    const { results, conforms } = await checkConnector({ transport: httpTransport(connector.url) });
    const noted = results.filter(({ notes }) => notes);
    expect(noted.map(({ check, outcome }) => ({ check, outcome }))).toEqual([
      { check: 'returns authority attribute definitions', outcome: 'passed' },
    ]);
    expect(noted[0]?.notes).toEqual([expect.stringMatching(/properties\.required: .*boolean/)]);
    expect(conforms).toBe(true);
  });
});

describe('the evidence of an exchange', () => {
  it('contains no secret, whether generated or specified', async () => {
    const given = 'a-secret-that-was-given';
    connector = await startPlainAuthority(async (call, answer) =>
      call.path.endsWith('/authorities') && call.method === 'POST'
        ? { status: 500, body: { message: `Cannot work with ${JSON.stringify(call.body)}` } }
        : answer(call),
    );
    const values = { PlainCA: { data_pin: { secret: given } } };
    const { results } = await checkConnector({ transport: httpTransport(connector.url), values });
    const failed = results.find(({ check }) => check === 'creates an authority');
    expect(failed?.evidence?.sent).toContain('•••');
    expect(JSON.stringify(results)).not.toContain(given);
  });
});

describe('a selection of groups and kinds', () => {
  it('limits the checks that run, and fails if a group or kind is missing', async () => {
    connector = await startPlainAuthority();
    const transport = httpTransport(connector.url);
    const none = await checkConnector({ transport, groups: ['entityProvider'], kinds: ['PlainCA'] });
    expect(none.results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)).toEqual([
      'offers the function group',
    ]);
    const other = await checkConnector({ transport, kinds: ['OtherCA'] });
    expect(other.results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)).toEqual([
      'offers the kind',
    ]);
    expect(other.counts.passed).toBeLessThan(5);
  });

  it('reports if the connector does not respond', async () => {
    const { url, close } = await startPlainAuthority();
    await close();
    const { conforms, results } = await checkConnector({ transport: httpTransport(url) });
    expect(conforms).toBe(false);
    expect(results[0]?.problem).toContain('ECONNREFUSED');
  });
});
