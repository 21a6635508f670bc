// Offers the root certificate for download, to everybody: it is what clients need before they can trust anything.
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import type { DataDirectory } from './data-directory.ts';

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
