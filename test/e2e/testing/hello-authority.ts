// The first connector of the guide, as a separate program, with a CA created by OpenSSL.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../../packages/connector-sdk/src/testing/hello-authority.ts');

export interface HelloAuthority {
  readonly url: string;
  stop(): Promise<void>;
}

/** As in the guide. */
export const CREATE_CA =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout ca.key -out ca.pem -days 3650';

export async function startHelloAuthority(folder: string): Promise<HelloAuthority> {
  execFileSync('openssl', [...CREATE_CA.split(' '), '-subj', '/CN=Hello CA'], { cwd: folder, stdio: 'pipe' });
  const program = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  for await (const line of createInterface(program.stdout)) {
    const [, url] = /^Hello from (\S+)$/.exec(line) ?? [];
    if (url !== undefined)
      return {
        url,
        stop: async () => {
          program.kill();
          await ended;
        },
      };
  }
  throw new Error('The connector ended before it was ready.');
}
