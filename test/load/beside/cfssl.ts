// cfssl as a signing server: a P-256 CA in files, default settings, no database.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, freePort, runProgram, type RunningProgram } from './programs.ts';

export interface CfsslSetup {
  readonly directory: string;
  readonly programs: string | undefined;
  readonly core: number;
}

export interface Cfssl extends RunningProgram {
  readonly http: string;
}

export const CFSSL_SIGN = '/api/v1/cfssl/sign';

export async function startCfssl({ directory, programs: folder, core }: CfsslSetup): Promise<Cfssl> {
  const place = join(directory, 'cfssl');
  mkdirSync(place);
  const program = findProgram('cfssl', { folder, module: 'github.com/cloudflare/cfssl/cmd/cfssl' });
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'ca-key.pem',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Benchmark',
      '-days',
      '3650',
    ],
    { cwd: place, stdio: 'ignore' },
  );
  const port = await freePort();
  const http = `http://127.0.0.1:${port}`;
  const running = await runProgram(
    [program, 'serve', '-address=127.0.0.1', `-port=${port}`, '-ca=ca.pem', '-ca-key=ca-key.pem', '-loglevel=5'],
    { directory: place, core, isReady: () => answers(`${http}/api/v1/cfssl/info`) },
  );
  return { http, ...running };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { method: 'POST', body: '{"label":""}' }).then(
    ({ ok }) => ok,
    () => false,
  );
