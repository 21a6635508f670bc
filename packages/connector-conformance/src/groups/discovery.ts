// Discovery providers: a discovery is started, awaited, and read page by page.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { discoveryProviderOperations as discovery, type DiscoveryProviderDto } from '@signetry/contract';
import { certificateIn } from '../certificates/checks.ts';
import { checkUseRejects } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult } from '../session.ts';
import { checkKindForm } from './credential.ts';
import { checkUnknownKind } from './instances.ts';

/** Platforms wait longer, but a discovery in a check should be small. */
const DISCOVERY_MS = 120_000;
const PAUSE_MS = 250;
/** Small, so that even a few certificates fill several pages. */
const PAGE = 2;
/** Certificates beyond this number are not read. */
const MAX_READ = 200;

interface StartedDiscovery {
  readonly uuid: string;
  readonly name: string;
}

export async function checkDiscoveryProvider(scope: Scope): Promise<void> {
  const { session, kind } = scope;
  const form = await checkKindForm(scope, 'discovery');
  await checkUnknownKind(scope);
  const start = async (name: string, idempotencyKey?: string): Promise<StartedDiscovery> => {
    const body = { name, kind, attributes: requireResult(form, 'discovery attributes').values };
    const started = await session.ask(discovery.discoverCertificate, {
      body,
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
    const params = { uuid: started.uuid };
    session.defer(() => session.exchange(scope.requestOf(discovery.deleteDiscovery, { params })));
    expect(
      started.uuid !== '' && started.name === name,
      'The response contains no identifier, or a different name.',
      `the discovery ${name}`,
    );
    return { uuid: started.uuid, name };
  };
  const started = await scope.check('starts a discovery', () => start(newName()));
  const page = (run: StartedDiscovery, pageNumber: number, itemsPerPage: number) =>
    session.ask(discovery.getDiscovery, {
      params: { uuid: run.uuid },
      body: { name: run.name, kind, pageNumber, itemsPerPage },
    });
  const found = await scope.check('completes a discovery', () =>
    waitUntilFinished(() => page(requireResult(started, 'starts a discovery'), 1, 100)),
  );
  await checkPages(scope, { page, started, found });
  await scope.check('returns 404 for a discovery that does not exist', () =>
    session.refused(
      discovery.getDiscovery,
      { params: { uuid: randomUUID() }, body: { name: newName(), kind, pageNumber: 1, itemsPerPage: PAGE } },
      [404],
    ),
  );
  await checkUseRejects(scope, 'starting a discovery', {
    form,
    refused: (attributes) =>
      session.refused(discovery.discoverCertificate, { body: { name: newName(), kind, attributes } }, [422, 400]),
  });
  await scope.check('starts a discovery only once for the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const [name, key] = [newName(), randomUUID()];
    const [first, second] = [await start(name, key), await start(name, key)];
    expect(
      first.uuid === second.uuid,
      'The second call starts a different discovery.',
      `the discovery ${first.uuid} again`,
    );
  });
  await checkDeletion(scope, started, start);
}

interface FinishedDiscovery {
  readonly page: (run: StartedDiscovery, pageNumber: number, itemsPerPage: number) => Promise<DiscoveryProviderDto>;
  readonly started: StartedDiscovery | undefined;
  /** Number of certificates. */
  readonly found: number | undefined;
}

async function checkPages(scope: Scope, { page, started, found }: FinishedDiscovery): Promise<void> {
  await scope.check('returns the discovered certificates page by page', async () => {
    const total = requireResult(found, 'completes a discovery');
    const read: string[] = [];
    for (let number = 1; read.length < Math.min(total, MAX_READ); number += 1) {
      const { certificateData } = await page(requireResult(started, 'starts a discovery'), number, PAGE);
      expect(certificateData.length <= PAGE, `Page ${number} exceeds the page size.`, `at most ${PAGE} certificates`);
      expect(
        certificateData.length > 0,
        `Page ${number} is empty, although there are ${total} certificates.`,
        'the remaining certificates',
      );
      for (const { uuid, base64Content } of certificateData) {
        certificateIn(base64Content);
        read.push(uuid);
      }
    }
    expect(new Set(read).size === read.length, 'A certificate is on two pages.', 'each certificate once');
  });
  await scope.check('returns the same page again, and an empty page after the last one', async () => {
    const total = requireResult(found, 'completes a discovery');
    const run = requireResult(started, 'starts a discovery');
    const uuidsOf = async () => (await page(run, 1, PAGE)).certificateData.map(({ uuid }) => uuid);
    const [first, again] = [await uuidsOf(), await uuidsOf()];
    expect(first.join() === again.join(), 'The second response contains different certificates.', first.join());
    const behind = await page(run, Math.floor(total / PAGE) + 2, PAGE);
    expect(behind.certificateData.length === 0, 'The page after the last one contains certificates.', 'an empty page');
    expect(
      behind.totalCertificatesDiscovered === total,
      `The total on this page is ${behind.totalCertificatesDiscovered}.`,
      `${total}, as on every page`,
    );
  });
}

const newName = (): string => `conformance-${randomUUID()}`;

/** Waits for the discovery and returns the number of certificates found. */
async function waitUntilFinished(
  look: () => Promise<{ readonly status: string; readonly totalCertificatesDiscovered: number }>,
): Promise<number> {
  const end = Date.now() + DISCOVERY_MS;
  for (;;) {
    const { status, totalCertificatesDiscovered } = await look();
    if (status === 'completed' || status === 'warning') return totalCertificatesDiscovered;
    expect(status !== 'failed', 'The discovery failed. Specify suitable values with --attributes.', 'completed');
    expect(Date.now() < end, `The discovery did not complete within ${DISCOVERY_MS / 1000} s.`, 'completed');
    await delay(PAUSE_MS);
  }
}

async function checkDeletion(
  scope: Scope,
  started: StartedDiscovery | undefined,
  start: (name: string) => Promise<StartedDiscovery>,
): Promise<void> {
  await scope.check('deletes a discovery', async () => {
    scope.need(discovery.deleteDiscovery);
    const { uuid, name } = requireResult(started, 'starts a discovery');
    await scope.session.ask(discovery.deleteDiscovery, { params: { uuid } });
    const body = { name, kind: scope.kind, pageNumber: 1, itemsPerPage: PAGE };
    await scope.session.refused(discovery.getDiscovery, { params: { uuid }, body }, [404]);
  });
  await scope.check('deletes a running discovery', async () => {
    scope.need(discovery.deleteDiscovery);
    const { uuid, name } = await start(newName());
    await scope.session.ask(discovery.deleteDiscovery, { params: { uuid } });
    const body = { name, kind: scope.kind, pageNumber: 1, itemsPerPage: PAGE };
    await scope.session.refused(discovery.getDiscovery, { params: { uuid }, body }, [404]);
  });
}
