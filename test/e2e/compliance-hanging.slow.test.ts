// A compliance rule provider that hangs blocks nothing indefinitely, and does not delay stopping a check.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rejectionOf } from './testing/certificates.ts';
import {
  checkObject,
  createGovernedAuthority,
  issueCertificate,
  latestRun,
  registerRuleProvider,
  resultOf,
  rulesOfProvider,
} from './testing/compliance.ts';
import { GROUP, RULE_KIND, startRuleProvider, type RuleProvider } from './testing/rule-provider.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let client: Client;
let provider: RuleProvider;
let connectorUuid: string;

beforeAll(async () => {
  ({ client } = server);
  provider = await startRuleProvider();
  connectorUuid = await registerRuleProvider(client, provider);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.behaviour = 'ok';
  provider.asked.length = 0;
});

describe('compliance rules from a provider', () => {
  it('do not block anything indefinitely when the provider hangs', { timeout: 60_000 }, async () => {
    const path = await createGovernedAuthority(client, rulesOfProvider(connectorUuid));
    const uuid = await issueCertificate(client, path, 'hanging.example');
    provider.behaviour = 'hang';
    const result = await checkObject(client, 'certificates', uuid);
    expect(result.status).toBe('nok');
    expect(result.failedRules.map((rule) => rule.status)).toEqual(['not_available', 'not_available']);
    expect(result.message).toContain('rule-provider');
  });
});

describe('compliance checks of multiple objects', () => {
  it('can be stopped while a provider hangs, and other checks continue', { timeout: 60_000 }, async () => {
    const path = await createGovernedAuthority(client, {
      providerRules: [{ connectorUuid, kind: RULE_KIND, groups: [GROUP.uuid] }],
    });
    const uuid = await issueCertificate(client, path, 'stopped.example');
    provider.behaviour = 'hang';
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    await vi.waitFor(() => expect(provider.asked.length).toBeGreaterThan(0));
    const { uuid: runUuid, state } = await latestRun(client);
    expect(state).toBe('running');
    provider.behaviour = 'ok';
    const stopped = await client.complianceRuns.stopComplianceRun({ params: { runUuid } });
    expect(stopped).toMatchObject({ state: 'stopped', processed: 0, total: 1 });
    expect(stopped.stoppedBy).toBeDefined();
    expect((await resultOf(client, 'certificates', uuid)).status).toBe('not_checked');
    // The node notices when it renews its lease, long before the call to the provider would time out.
    expect((await checkObject(client, 'certificates', uuid)).status).toBe('ok');
    expect(
      await rejectionOf(client.complianceRuns.getComplianceRun({ params: { runUuid: randomUUID() } })),
    ).toMatchObject({
      status: 404,
    });
  });
});
