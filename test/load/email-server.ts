// SMTP server in a separate process that accepts and counts every email.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let mails = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    stream.resume().on('end', () => {
      mails += 1;
      done();
    });
  },
});
server.on('error', () => undefined);
server.server.listen(0, '127.0.0.1', () => process.send?.((server.server.address() as AddressInfo).port)); // TCP
process.on('message', () => process.send?.(mails));
