// Serves the root certificate for download without authentication, because clients need it before they can trust
// anything.
import { readFile } from 'node:fs/promises';
import { writePem } from '@signetry/pki';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import type { Areas } from './areas.ts';
import { writePrivateFile, type DataDirectory } from './data-directory.ts';
import type { DefaultProfile } from './first-start.ts';

export function serveRootCertificate(server: FastifyInstance, directory: DataDirectory): void {
  server.get('/root-ca.pem', async (_request, reply) => {
    const pem = await readFile(directory.rootCertificateFile, 'utf8').catch((cause: unknown) => {
      throw new AppError('unavailable', { reason: 'the root certificate has not been written yet' }, { cause });
    });
    return reply
      .type('application/x-pem-file')
      .header('content-disposition', 'attachment; filename="signetry-root-ca.pem"')
      .send(pem);
  });
}

/** Writes the root certificate of the default RA profile's authority to the data directory. */
export async function writeRootCertificate(
  areas: Areas,
  facts: { readonly profile: DefaultProfile; readonly directory: DataDirectory },
): Promise<void> {
  const { caCertificateUuid } = await areas.raProfiles.forIssuingByUuid(facts.profile.raProfileUuid);
  if (caCertificateUuid === null) return;
  const root = (await areas.inventory.chainOf(caCertificateUuid)).at(-1);
  if (root) await writePrivateFile(facts.directory.rootCertificateFile, writePem('CERTIFICATE', root));
}
