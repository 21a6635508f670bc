// The platform's own HTTPS certificate. It is issued like any other certificate and stored in the data directory with a
// sealed key. It is renewed automatically when a third of its validity period is left, its names change or it is
// revoked.
import type { Server as HttpsServer } from 'node:https';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  ipAddressName,
  parsePublicKey,
  readCertificate,
  subjectAltNameExtension,
  writePemChain,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { coreContext } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import { newUuid } from '../kernel/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Areas } from './areas.ts';
import { writePrivateFile, type DataDirectory } from './data-directory.ts';
import type { DefaultProfile } from './first-start.ts';
import type { TlsMaterial } from './listeners.ts';

const PURPOSE = 'https key';
const CHECK_PERIOD_MS = 60 * 60_000;

interface StoredMaterial {
  readonly certificateUuid: string;
  readonly names: readonly string[];
  readonly chain: string;
  /** Sealed PKCS #8 PEM, in Base64. */
  readonly sealedKey: string;
}

export interface HttpsCertificateOptions {
  readonly platform: Platform;
  readonly areas: Areas;
  readonly directory: DataDirectory;
  readonly profile: DefaultProfile;
  /** Host names and IP addresses in the certificate. The first one is its common name. */
  readonly names: readonly string[];
}

/** Returns the current key and chain; issues a certificate if none is usable. */
export async function ensureHttpsCertificate(options: HttpsCertificateOptions): Promise<TlsMaterial> {
  const stored = await readStored(options);
  if (!stored || !canOpen(stored, options) || !(await isUsable(stored, options)))
    return open(await issueCertificate(options), options);
  const material = open(stored, options);
  if (options.platform.sealer.isStale(Buffer.from(stored.sealedKey, 'base64')))
    await writeStored({ ...stored, sealedKey: sealKey(material.key, options) }, options);
  return material;
}

/** Returns whether the stored key can be opened. If its sealing key is lost, a new key replaces it. */
function canOpen(stored: StoredMaterial, options: HttpsCertificateOptions): boolean {
  try {
    return open(stored, options).key !== '';
  } catch (error) {
    options.platform.log.warn({ error }, "cannot open the HTTPS listener's key; generating a new one");
    return false;
  }
}

const writeStored = (stored: StoredMaterial, { directory }: HttpsCertificateOptions): Promise<void> =>
  writePrivateFile(directory.httpsFile, JSON.stringify(stored));

const sealKey = (pem: string, { platform }: HttpsCertificateOptions): string =>
  Buffer.from(platform.sealer.seal(Buffer.from(pem), PURPOSE)).toString('base64');

/** Checks hourly whether the certificate must be renewed, and passes the new one to the running listeners. */
export function maintainHttpsCertificate(
  servers: readonly HttpsServer[],
  options: HttpsCertificateOptions,
): { stop(): void } {
  const timer = setInterval(() => {
    void ensureHttpsCertificate(options)
      .then((material) => servers.forEach((server) => server.setSecureContext({ ...material })))
      .catch((error: unknown) =>
        options.platform.log.error({ error }, 'cannot renew the HTTPS certificate; will retry in an hour'),
      );
  }, CHECK_PERIOD_MS).unref();
  return { stop: () => clearInterval(timer) };
}

async function readStored({ directory }: HttpsCertificateOptions): Promise<StoredMaterial | undefined> {
  try {
    return JSON.parse(await readFile(directory.httpsFile, 'utf8')) as StoredMaterial; // This file wrote the content.
  } catch (error) {
    // The fs module rejects with errno errors.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isUsable(stored: StoredMaterial, { platform, areas, names }: HttpsCertificateOptions): Promise<boolean> {
  const { notBeforeMs, notAfterMs } = readCertificate(stored.chain);
  const left = notAfterMs - platform.clock.now().getTime();
  if (left < (notAfterMs - notBeforeMs) / 3) return false;
  if (stored.names.join() !== names.join()) return false;
  return (await areas.certificates.find(stored.certificateUuid))?.state === 'issued';
}

async function issueCertificate(options: HttpsCertificateOptions): Promise<StoredMaterial> {
  const { areas, profile, names } = options;
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const info = buildCertificationRequestInfo({
    subject: buildName([{ type: 'CN', value: names[0] ?? 'localhost' }]),
    spki,
    extensions: [
      subjectAltNameExtension(
        names.map((name) => (isIP(name) === 0 ? { kind: 'dNSName', value: name } : ipAddressName(name))),
      ),
    ],
  });
  const request = assembleCertificationRequest(info, {
    algorithm,
    signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
  });
  const issued = await areas.issuing.issueForPlatform({ ...profile, request }, coreContext(newUuid()));
  if (!issued.der) await waitUntilIssued(options, issued.uuid);
  const key = await exportPrivateKeyPem(privateKey);
  const stored: StoredMaterial = {
    certificateUuid: issued.uuid,
    names,
    chain: writePemChain(await areas.inventory.chainOf(issued.uuid)),
    sealedKey: sealKey(key, options),
  };
  await writeStored(stored, options);
  return stored;
}

/** Longer than a responsive authority takes, and than API callers wait. */
const LONGEST_ISSUE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** Waits until the certificate is issued. The authority may take longer than API callers wait for a certificate. */
async function waitUntilIssued({ platform, areas }: HttpsCertificateOptions, uuid: string): Promise<void> {
  const until = platform.clock.monotonicMs() + LONGEST_ISSUE_MS;
  for (;;) {
    const found = await areas.certificates.find(uuid);
    if (found?.der) return;
    if (found === undefined || found.state === 'failed' || platform.clock.monotonicMs() > until)
      throw new AppError('unavailable', { reason: 'the HTTPS certificate was not issued in time' });
    await setTimeout(LOOK_AGAIN_MS);
  }
}

function open(stored: StoredMaterial, { platform }: HttpsCertificateOptions): TlsMaterial {
  const key = platform.sealer.open(Buffer.from(stored.sealedKey, 'base64'), PURPOSE);
  return { key: Buffer.from(key).toString(), cert: stored.chain };
}
