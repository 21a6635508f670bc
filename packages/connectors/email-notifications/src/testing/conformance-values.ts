// Values for the conformance check that the definitions do not determine: a mail server on loopback.
import { KIND } from '../declaration.ts';
import { EMAIL } from '../index.ts';
import { startMailServer, type MailServer } from './mail-server.ts';

let server: MailServer | undefined;

export async function conformanceEnd(): Promise<void> {
  await server?.close();
}

export async function conformanceValues() {
  server = await startMailServer();
  return {
    [KIND]: {
      [EMAIL.host]: '127.0.0.1',
      [EMAIL.port]: server.port,
      [EMAIL.security]: 'none',
      [EMAIL.senderAddress]: 'pki@example.com',
      [EMAIL.subject]: '{{title}}',
      [EMAIL.text]: '{{message}}',
      [EMAIL.html]: '<p>{{message}}</p>',
    },
  };
}
