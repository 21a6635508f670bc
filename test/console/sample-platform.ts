// A platform with sample data of every kind and a browser session of its administrator, for pictures of the console.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@signetry/client';
import { startServer } from '@signetry/server';
import type { Browser, BrowserContext } from 'playwright-core';
import { createSampleAutomations } from './sample-automations.ts';
import { fillWithSamples } from './sample-data.ts';
import { createSampleDiscoveries } from './sample-discoveries.ts';
import { createSampleLocations, startFileServer } from './sample-locations.ts';
import { createSampleNotifications } from './sample-notifications.ts';
import { placeSampleOrders, startChallengeTargets } from './sample-orders.ts';
import { createSampleProtocols } from './sample-protocols.ts';
import type { AllSamples } from './screen-list.ts';

export interface SamplePlatform {
  /** URL of the console, without a trailing slash. */
  readonly url: string;
  readonly samples: AllSamples;
  /** Cookies of the signed-in administrator, for new browser contexts. */
  signIn(browser: Browser): Promise<Awaited<ReturnType<BrowserContext['storageState']>>>;
  stop(): Promise<void>;
}

export async function startSamplePlatform(): Promise<SamplePlatform> {
  const data = mkdtempSync(join(tmpdir(), 'signetry-screens-data-'));
  const targets = await startChallengeTargets();
  const files = await startFileServer();
  const server = await startServer({
    environment: {},
    args: [
      `--data=${data}`,
      '--http=127.0.0.1:0',
      '--https=127.0.0.1:0',
      '--log-level=error',
      '--egress-allowed-hosts=127.0.0.1',
      '--discovery-networks=127.0.0.0/8',
      ...targets.args,
      ...files.args,
    ],
    acmeRetryDelaysMs: [],
    out: () => undefined,
  });
  const closing: (() => Promise<unknown>)[] = [server.stop, targets.stop, files.stop];
  const stop = async () => {
    for (const close of closing) await close();
    rmSync(data, { recursive: true, force: true });
  };
  try {
    // written by the platform
    const { token } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { token: string };
    const samples = await fillWithSamples(server, token);
    const client = createClient({ baseUrl: server.announcement.api, token });
    const protocols = await createSampleProtocols(client, server);
    const automations = await createSampleAutomations(client);
    const { provider, ...discoveries } = await createSampleDiscoveries(client);
    closing.push(provider.stop);
    const locations = await createSampleLocations(client, files);
    const { stop: stopReceiver, ...notifications } = await createSampleNotifications(client, server);
    closing.push(stopReceiver);
    const ca = readFileSync(server.announcement.rootCertificate, 'utf8');
    await placeSampleOrders(targets, { directoryUrl: samples.acmeDirectory, ca });
    return {
      url: server.announcement.http ?? '',
      samples: { ...samples, protocols, automations, discoveries, locations, notifications },
      signIn: (browser) => signIn(browser, server),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signIn(
  browser: Browser,
  { areas, announcement }: Awaited<ReturnType<typeof startServer>>,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const { path } = await areas.identity.issueSignInLink('admin');
  // The first start of a clone builds the console in the meantime.
  const url = `${announcement.http}/`;
  while ((await fetch(url)).status === 503) await delay(200);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(path.reveal(), url).href);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}
