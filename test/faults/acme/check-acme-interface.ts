// Checks that responses to ACME clients still hold: orders, certificates, repeated requests, and the counters shown to
// administrators.
import type { Client } from '@signetry/client';
import type { AcmeOrder } from '../../../packages/testkit/src/acme/acme-objects.ts';
import type { Queryable, Violation } from '../check-database.ts';
import { sha256 } from '../load.ts';
import type { AcmeEvidence, EndedOrder } from './acme-evidence.ts';
import type { AcmeWorker } from './acme-worker.ts';
import { pathOf } from './fault-client.ts';

export interface AcmeInterfaceFacts {
  readonly client: Client;
  readonly database: Queryable;
  readonly evidence: AcmeEvidence;
  readonly workers: readonly AcmeWorker[];
  /** Orders that are requested again. */
  readonly orders: readonly EndedOrder[];
}

export async function checkAcmeInterface(facts: AcmeInterfaceFacts): Promise<Violation[]> {
  const byWorker = Map.groupBy(facts.orders, ({ worker }) => worker);
  const perWorker = await Promise.all(
    facts.workers.map(async (worker, index) => {
      const violations: Violation[] = [];
      for (const order of byWorker.get(index) ?? []) violations.push(...(await checkOrder(worker, order)));
      return [...violations, ...(await checkList(worker, facts.evidence.placedBy(index)))];
    }),
  );
  return [...perWorker.flat(), ...(await checkCounters(facts))];
}

async function checkOrder({ client }: AcmeWorker, order: EndedOrder): Promise<Violation[]> {
  const shown = await client.signed(order.path);
  const state = shown.status === 200 ? (JSON.parse(shown.text) as AcmeOrder) : undefined; // 200
  if (state?.status !== order.status)
    return [{ invariant: 'I10', what: `${order.path} was ${order.status} and is ${state?.status ?? shown.text}` }];
  const again = await client.signed(order.finalizePath, { csr: order.csr });
  if (!order.certificate) {
    if (again.problem === 'orderNotReady') return [];
    return [{ invariant: 'I10', what: `a failed order was finalized: ${again.status} ${again.text}` }];
  }
  const repeated = again.status === 200 ? (JSON.parse(again.text) as AcmeOrder) : undefined; // 200
  for (const { certificate } of [state, repeated ?? state]) {
    if (certificate === undefined || pathOf(certificate) !== order.certificate.path)
      return [{ invariant: 'I2', what: `${order.path} had ${order.certificate.path} and has ${certificate}` }];
  }
  if (!repeated) return [{ invariant: 'I2', what: `finalize of ${order.path} again: ${again.status} ${again.text}` }];
  const download = await client.signed(order.certificate.path);
  return sha256(Buffer.from(download.text)) === order.certificate.sha256
    ? []
    : [{ invariant: 'I2', what: `${order.certificate.path} differs from the previous download` }];
}

/**
 * Checks that every order returned to a client is in its account's orders list, unless it failed (RFC 8555 §7.1.2.1).
 */
async function checkList({ client }: AcmeWorker, placed: ReadonlySet<string>): Promise<Violation[]> {
  if (client.accountUrl === undefined) return [];
  const listed = new Set<string>();
  const account = await client.signed(pathOf(client.accountUrl));
  let next: string | undefined = pathOf((JSON.parse(account.text) as { orders: string }).orders); // Account object.
  while (next !== undefined) {
    const page = await client.signed(next);
    // Orders list.
    for (const url of (JSON.parse(page.text) as { orders: string[] }).orders) listed.add(pathOf(url));
    const link: string | undefined = page.next;
    next = link === undefined ? undefined : pathOf(link);
  }
  const violations: Violation[] = [];
  for (const path of placed) {
    if (listed.has(path)) continue;
    const shown = await client.signed(path);
    if (shown.status !== 200 || (JSON.parse(shown.text) as AcmeOrder).status !== 'invalid')
      violations.push({ invariant: 'I11', what: `${path} is not in the list of its account: ${shown.text}` });
  }
  return violations;
}

interface Counts {
  readonly uuid: string;
  readonly profile: string;
  readonly total: number;
  readonly valid: number;
  readonly invalid: number;
}

/**
 * Checks that the counters shown to administrators match the orders, which are counted differently than on the
 * platform.
 */
async function checkCounters({ client, database, workers, evidence }: AcmeInterfaceFacts): Promise<Violation[]> {
  const accounts = await database.query<Counts>(
    `SELECT a.uuid, a.acme_profile_uuid AS profile, count(o.uuid)::integer AS total,
       (count(*) FILTER (WHERE o.status = 'valid' OR (o.status = 'processing' AND c.state IN ('issued', 'revoked'))))::integer AS valid,
       (count(*) FILTER (WHERE o.status = 'invalid' OR (o.status = 'processing' AND c.state IN ('failed', 'rejected'))))::integer AS invalid
     FROM acme_account a LEFT JOIN acme_order o ON o.account_uuid = a.uuid LEFT JOIN certificate c ON c.uuid = o.certificate_uuid GROUP BY a.uuid`,
  );
  const violations: Violation[] = [];
  const made = workers.filter((worker) => worker.client.accountUrl !== undefined).length;
  if (accounts.length < made || accounts.length > workers.length)
    violations.push({ invariant: 'I11', what: `${accounts.length} accounts of ${workers.length} keys` });
  for (const { uuid, profile, total, valid, invalid } of accounts) {
    const shown = await client.acmeAccounts.getAcmeAccount({
      params: { acmeProfileUuid: profile, acmeAccountUuid: uuid },
    });
    const expected = [total, valid, valid, invalid, total - valid - invalid, 0];
    const counters = [
      shown.totalOrders,
      shown.successfulOrders,
      shown.validOrders,
      shown.failedOrders,
      shown.pendingOrders,
      shown.processingOrders,
    ];
    if (counters.join() !== expected.join())
      violations.push({ invariant: 'I11', what: `account ${uuid} counts ${counters.join()}, not ${expected.join()}` });
  }
  const sum = (member: 'valid' | 'invalid'): number => accounts.reduce((all, account) => all + account[member], 0);
  for (const status of ['valid', 'invalid'] as const) {
    const known = evidence.ended.filter((order) => order.status === status).length;
    if (sum(status) < known)
      violations.push({ invariant: 'I11', what: `${known} orders ended ${status}, ${sum(status)} are counted` });
  }
  return violations;
}
