// A discovery in an unreachable CT log: it is retried for 15 s.
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { discoverOfKind } from './testing/discoveries.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
});

describe('a discovery in a CT log', () => {
  it('fails if the log cannot be reached, and reports the reason', async () => {
    const values = { data_logUrl: 'http://127.0.0.1:1/', data_domains: 'example.com', data_start: 'beginning' };
    const { progress } = await discoverOfKind(server.client, 'CT-Static', values);
    expect(progress.status).toBe('failed');
    const { metadata = [] } = await server.client.discoveries.getDiscovery({ params: { uuid: progress.uuid } });
    const remarks = metadata.flatMap(({ items }) => items).find(({ name }) => name === 'reason');
    expect(JSON.stringify(remarks?.content)).toContain('The log refused the connection');
  });
});
