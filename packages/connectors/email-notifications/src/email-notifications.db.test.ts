// Email through the connector interface, with real SMTP servers on loopback and a real database.
import {
  createInstance,
  notify,
  preview,
  startTestNotifier,
  updateInstance,
  type TestNotifier,
} from '@signetry/testkit/notification';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMAIL, emailNotifications } from './index.ts';
import {
  respondToLines,
  serverCertificate,
  startMailServer,
  startRawServer,
  type MailServer,
} from './testing/mail-server.ts';

let notifier: TestNotifier;
let tls: Awaited<ReturnType<typeof serverCertificate>>;
let open: MailServer;
const servers: { close(): Promise<void> }[] = [];

const trackServer = async <S extends { close(): Promise<void> }>(server: Promise<S>): Promise<S> => {
  servers.push(await server);
  return server;
};

beforeAll(async () => {
  [notifier, tls, open] = await Promise.all([
    startTestNotifier(emailNotifications),
    serverCertificate(),
    trackServer(startMailServer()),
  ]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const valuesFor = (port: number, values: Record<string, unknown> = {}) => ({
  [EMAIL.host]: 'localhost',
  [EMAIL.port]: port,
  [EMAIL.security]: 'none',
  [EMAIL.senderAddress]: 'pki@example.com',
  [EMAIL.senderName]: 'Example PKI',
  [EMAIL.timeoutSeconds]: 20,
  ...values,
});

const credential = (password: string) => ({
  uuid: '0197c3d0-0000-7000-8000-0000000000c1',
  name: 'mail',
  kind: 'Basic',
  attributes: [attribute('username', 'string', 'pki'), attribute('password', 'secret', { secret: password })],
});
const attribute = (name: string, contentType: string, data: unknown) => ({
  version: 2,
  uuid: '0197c3d0-0000-7000-8000-0000000000a1',
  name,
  type: 'data',
  contentType,
  content: [{ data }],
  properties: { label: name, visible: true, required: true, readOnly: false, list: false, multiSelect: false },
});

const problemsOf = async (work: Promise<unknown>): Promise<{ status: number; problems: readonly string[] }> => {
  const error: unknown = await work.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  expect(error).toBeDefined();
  return error as { status: number; problems: readonly string[] };
};
const people = (...names: string[]) => names.map((name) => ({ name, email: `${name}@example.com` }));
const mailsTo = ({ mails }: MailServer, name: string) => mails.filter(({ to }) => to.includes(`${name}@example.com`));

describe('a notification', () => {
  it('is sent as one email to each recipient, and describes the event and the next steps', async () => {
    const { uuid } = await createInstance(
      notifier,
      valuesFor(open.port, { [EMAIL.consoleUrl]: 'https://pki.example/' }),
    );
    await notify(notifier, { uuid, body: { recipients: people('ada', 'bob') }, key: 'first' });
    const [mail, ...others] = mailsTo(open, 'ada');
    expect(others).toEqual([]);
    expect(mailsTo(open, 'bob')).toHaveLength(1);
    expect(mail?.from).toBe('pki@example.com');
    expect(mail?.text).toContain('From: Example PKI <pki@example.com>');
    expect(mail?.text).toContain('Auto-Submitted: auto-generated');
    expect(mail?.text).toMatch(/Subject: Certificate for www\.example\.com expires in \d+ days/);
    const plain = mail?.text.replaceAll('=\r\n', '') ?? '';
    expect(plain).toContain('Renew it in time');
    expect(plain).toContain('https://pki.example/certificates/0197c3d0-0000-7000-8000-000000000001');
  });

  it('keeps its Message-ID when it is repeated, but each recipient and each delivery has a different one', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    const idOf = async (key: string, name: string) =>
      (await preview(notifier, { uuid, key, body: { recipients: people(name) } })).headers?.['Message-ID'];
    expect(await idOf('one', 'ada')).toBe(await idOf('one', 'ada'));
    const ids = [await idOf('one', 'ada'), await idOf('one', 'bob'), await idOf('two', 'ada')];
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^<one\.[0-9a-f]{12}@example\.com>$/);
  });

  it('skips recipients who already received it when it is repeated, even by a different process', async () => {
    const server = await trackServer(
      startMailServer({ refuse: (to) => (to.startsWith('full@') && isFull ? 452 : undefined) }),
    );
    let isFull = true;
    const { uuid } = await createInstance(notifier, valuesFor(server.port));
    const sending = { uuid, key: 'again', body: { recipients: people('ada', 'full') } };
    const { status, problems } = await problemsOf(notify(notifier, sending));
    expect(status).toBe(503);
    expect(problems.join(' ')).toContain('full@example.com: localhost');
    expect(problems.join(' ')).toContain('The email was accepted for 1 of 2 recipients.');
    isFull = false;
    await notify(await notifier.another(), sending);
    expect([mailsTo(server, 'ada').length, mailsTo(server, 'full').length]).toEqual([1, 1]);
    await notify(notifier, { ...sending, key: 'another' });
    expect(mailsTo(server, 'ada')).toHaveLength(2);
  });

  it('is sent again if it has no idempotency key', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    for (let times = 0; times < 2; times += 1) await notify(notifier, { uuid, body: { recipients: people('eve') } });
    expect(mailsTo(open, 'eve')).toHaveLength(2);
  });

  it('skips recipients without an email address, and is rejected if no recipient has one', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    await notify(notifier, { uuid, body: { recipients: [{ name: 'Role' }, ...people('finn', 'finn')] } });
    expect(mailsTo(open, 'finn')).toHaveLength(1);
    const refusal = await problemsOf(notify(notifier, { uuid, body: { recipients: [{ name: 'Role' }] } }));
    expect(refusal).toMatchObject({ status: 422, problems: [expect.stringContaining('None of the recipients')] });
  });

  it('can be previewed without being sent', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    const before = open.mails.length;
    const seen = await preview(notifier, { uuid });
    expect(seen.subject).toMatch(/expires in \d+ days$/);
    expect(seen.text).toContain('Hello Anna Novak,');
    expect(seen.html).toContain('<td');
    expect(seen.headers).toMatchObject({ To: '"Anna Novak" <anna@example.com>' });
    expect(open.mails).toHaveLength(before);
  });
});

describe('malicious input', () => {
  it('is not interpreted as headers or HTML', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    const subjectDn = 'CN=x\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>\u202e';
    const body = {
      notificationData: { subjectDn },
      recipients: [{ name: 'Mal"\r\nBcc: x@example.com', email: 'mal@example.com' }],
    };
    await notify(notifier, { uuid, body });
    const [mail] = mailsTo(open, 'mal');
    const [head = ''] = mail?.text.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^bcc:/im);
    expect(mail?.to).toEqual(['mal@example.com']);
    const { html, subject } = await preview(notifier, { uuid, body });
    expect(html).not.toContain('<script');
    expect(html).toContain('&#60;script&#62;');
    expect(subject).not.toMatch(/[\r\n\u202e]/);
  });

  it('in addresses is rejected', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(open.port));
    const recipients = [{ name: 'Mal', email: 'a@example.com>\r\nRCPT TO:<b@example.com' }];
    const refusal = await problemsOf(notify(notifier, { uuid, body: { recipients } }));
    expect(refusal).toMatchObject({ status: 422, problems: [expect.stringContaining('is not an email address')] });
  });
});

describe('an SMTP server', () => {
  const startTlsServer = (facts: Parameters<typeof startMailServer>[0] = {}) =>
    trackServer(startMailServer({ key: tls.key, cert: tls.cert, ...facts }));
  const withTls = (port: number, values: Record<string, unknown> = {}) =>
    valuesFor(port, { [EMAIL.security]: 'starttls', [EMAIL.trustAnchors]: tls.ca, ...values });

  it('receives mail over STARTTLS with authentication', async () => {
    const server = await startTlsServer({ password: 'right', authOptional: false });
    const { uuid, attributes } = await createInstance(
      notifier,
      withTls(server.port, { [EMAIL.credential]: credential('right') }),
    );
    await notify(notifier, { uuid });
    expect(server.mails).toMatchObject([{ isSecure: true, user: 'pki' }]);
    expect(JSON.stringify(attributes)).not.toContain('right');
    // The credential is kept while the server stays the same.
    await updateInstance(notifier, uuid, withTls(server.port, { [EMAIL.senderName]: 'Other' }));
    await notify(notifier, { uuid });
    expect(server.mails).toHaveLength(2);
    // It is not sent to a different server.
    const other = await startTlsServer({ password: 'right', authOptional: false });
    await updateInstance(notifier, uuid, withTls(other.port));
    const refusal = await problemsOf(notify(notifier, { uuid }));
    expect(refusal).toMatchObject({ status: 422, problems: [expect.stringContaining('rejected the sender: 530')] });
    expect(other.mails).toEqual([]);
  });

  it('receives mail over implicit TLS', async () => {
    const server = await startTlsServer({ secure: true });
    const { uuid } = await createInstance(notifier, withTls(server.port, { [EMAIL.security]: 'tls' }));
    await notify(notifier, { uuid });
    expect(server.mails).toMatchObject([{ isSecure: true }]);
  });

  it('is rejected when the instance is saved if the password is wrong, STARTTLS is not supported or the certificate is untrusted', async () => {
    const server = await startTlsServer({ password: 'right' });
    const rejectionOf = async (values: Record<string, unknown>) => {
      const { status, problems } = await problemsOf(createInstance(notifier, values));
      return [status, ...problems];
    };
    expect(await rejectionOf(withTls(server.port, { [EMAIL.credential]: credential('wrong') }))).toEqual([
      422,
      expect.stringMatching(/rejected the user name and password: 535 .*Check the credential\.$/),
    ]);
    expect(await rejectionOf(withTls(open.port))).toEqual([422, expect.stringContaining('does not offer STARTTLS')]);
    expect(await rejectionOf(withTls(server.port, { [EMAIL.trustAnchors]: undefined }))).toEqual([
      422,
      expect.stringContaining('has no trusted certificate for its name ('),
    ]);
    expect(await rejectionOf(withTls(server.port, { [EMAIL.security]: 'tls' }))).toEqual([
      422,
      expect.stringContaining('Check whether the port expects TLS from the start:'),
    ]);
    expect(await rejectionOf(valuesFor(server.port, { [EMAIL.credential]: credential('right') }))).toEqual([
      422,
      expect.stringContaining('a password is not sent without TLS'),
    ]);
    expect(server.mails).toEqual([]);
  });

  it('receives mail over a limited number of connections, which are reused', async () => {
    const server = await trackServer(startMailServer());
    const { uuid } = await createInstance(notifier, valuesFor(server.port, { [EMAIL.connections]: 2 }));
    const before = server.connections();
    const recipients = people(...Array.from({ length: 20 }, (_, number) => `person${number}`));
    await notify(notifier, { uuid, body: { recipients } });
    expect(server.mails).toHaveLength(20);
    expect(server.connections() - before).toBe(2);
  });

  it('can close a reused connection without loss of mail', async () => {
    let taken = 0;
    const server = await trackServer(
      startRawServer((socket) => {
        let isUsed = false;
        respondToLines('220 mail', (line) => {
          if (isUsed && line.startsWith('MAIL')) socket.destroy();
          if (line === '.') {
            isUsed = true;
            taken += 1;
          }
          if (/^(EHLO|MAIL|RCPT|\.|QUIT)/.test(line)) return '250 fine';
          return line === 'DATA' ? '354 go on' : undefined;
        })(socket);
      }),
    );
    const { uuid } = await createInstance(notifier, valuesFor(server.port));
    for (let times = 0; times < 3; times += 1) await notify(notifier, { uuid });
    expect(taken).toBe(3);
  });

  it('causes only a temporary error if it resets its connections', async () => {
    const server = await trackServer(
      startRawServer((socket) => {
        const talk = respondToLines('220 mail', (line) => {
          if (line === 'QUIT') socket.resetAndDestroy();
          if (line.startsWith('MAIL')) return '421 closing';
          return line.startsWith('EHLO') ? '250 mail' : undefined;
        });
        talk(socket);
      }),
    );
    const { uuid } = await createInstance(notifier, valuesFor(server.port));
    const refusal = await problemsOf(notify(notifier, { uuid }));
    expect(refusal).toMatchObject({
      status: 503,
      problems: [expect.stringContaining('cannot accept the sender now: 421')],
    });
  });

  it('is quoted in the error if it permanently rejects a recipient', async () => {
    const server = await trackServer(startMailServer({ refuse: (to) => (to.startsWith('gone@') ? 550 : undefined) }));
    const { uuid } = await createInstance(notifier, valuesFor(server.port));
    const refusal = await problemsOf(notify(notifier, { uuid, body: { recipients: people('gone', 'ada') } }));
    expect(refusal).toMatchObject({
      status: 422,
      problems: [
        expect.stringMatching(/^gone@example\.com: localhost:\d+ rejected the recipient: 550 Not this one/),
        'The email was accepted for 1 of 2 recipients.',
      ],
    });
  });
});

describe('a failing SMTP server', () => {
  /** Creates an instance with a working server, which then fails as specified. */
  async function instanceAt(talk: Parameters<typeof startRawServer>[0]): Promise<string> {
    let isBroken = false;
    const working = respondToLines('220 mail', (line) => (/^(EHLO|QUIT)/.test(line) ? '250 mail' : undefined));
    const server = await trackServer(startRawServer((socket) => (isBroken ? talk(socket) : working(socket))));
    const { uuid } = await createInstance(notifier, valuesFor(server.port, { [EMAIL.timeoutSeconds]: 2 }));
    isBroken = true;
    return uuid;
  }
  const reportedProblems = async (talk: Parameters<typeof startRawServer>[0]) => {
    const { status, problems } = await problemsOf(notify(notifier, { uuid: await instanceAt(talk) }));
    return [status, problems.join(' ')];
  };

  it('is described in the error, which allows a retry', async () => {
    expect(await reportedProblems((socket) => socket.destroy())).toEqual([
      503,
      expect.stringMatching(/closed the connection\.$/),
    ]);
    expect(await reportedProblems(respondToLines('421 too busy', () => undefined))).toEqual([
      503,
      expect.stringContaining('421 too busy'),
    ]);
    const tarpit = (socket: Parameters<Parameters<typeof startRawServer>[0]>[0]) => {
      socket.write('220');
      const timer = setInterval(() => socket.write('-'), 100);
      socket.on('close', () => clearInterval(timer));
    };
    const [silent, slow] = await Promise.all([reportedProblems(() => undefined), reportedProblems(tarpit)]);
    expect(silent).toEqual([503, expect.stringContaining('did not accept the email in time.')]);
    expect(slow).toEqual([503, expect.stringMatching(/in time\.$/)]);
  });

  it('receives the same Message-ID on a retry if it disconnected after receiving the mail', async () => {
    const seen: string[] = [];
    const uuid = await instanceAt(
      respondToLines('220 mail', (line, socket) => {
        if (line.startsWith('Message-ID:')) seen.push(line);
        if (line === '.') socket.destroy();
        if (/^(EHLO|MAIL|RCPT)/.test(line)) return '250 fine';
        return line === 'DATA' ? '354 go on' : undefined;
      }),
    );
    for (let times = 0; times < 2; times += 1)
      expect((await problemsOf(notify(notifier, { uuid, key: 'dropped' }))).status).toBe(503);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });

  it('does not prevent an instance from being created, and is reported if it refuses connections or its address is blocked', async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    const { uuid } = await createInstance(notifier, valuesFor(server.port));
    const refusal = await problemsOf(notify(notifier, { uuid }));
    expect(refusal).toMatchObject({ status: 503, problems: [expect.stringContaining('refused the connection')] });
    const guarded = await startTestNotifier(emailNotifications, {
      resolveHost: () => Promise.reject(new Error('localhost has a loopback address, which is blocked.')),
    });
    const hidden = await createInstance(guarded, valuesFor(open.port));
    const forbidden = await problemsOf(notify(guarded, { uuid: hidden.uuid }));
    expect(forbidden.problems.join(' ')).toContain('loopback address, which is blocked');
  });

  it('does not block the caller after the call is aborted', async () => {
    const uuid = await instanceAt(() => undefined);
    const signal = AbortSignal.timeout(100);
    const began = performance.now();
    expect((await problemsOf(notify(notifier, { uuid, signal }))).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(1_900);
  });
});

describe('templates', () => {
  const rejectionOf = async (values: Record<string, unknown>) =>
    (await problemsOf(createInstance(notifier, valuesFor(open.port, values)))).problems.join(' ');

  it('are rejected with an explanation if they contain unknown, malformed or dangerous content', async () => {
    expect(await rejectionOf({ [EMAIL.subject]: '{{subjectDN}}' })).toMatch(
      /Subject: \{\{subjectDN\}\} is not a placeholder.*subjectDn/,
    );
    expect(await rejectionOf({ [EMAIL.text]: '{{title}} {{' })).toContain(
      'Text: a placeholder must be a name in double braces.',
    );
    expect(await rejectionOf({ [EMAIL.html]: '<script>1</script>' })).toContain(
      'the element script is not allowed in emails.',
    );
    expect(await rejectionOf({ [EMAIL.html]: '<p onclick="x">' })).toContain('event handlers');
    expect(await rejectionOf({ [EMAIL.html]: '<a href=" javascript:x">' })).toContain(
      'URLs that run or contain code (javascript:, data:) are not allowed in emails.',
    );
    expect(await rejectionOf({ [EMAIL.html]: '<img alt="" src="https://a.example">' })).toContain(
      'images from other servers are not allowed:',
    );
    expect(await rejectionOf({ [EMAIL.html]: '<a href="{{link}}">x</a>' })).toContain(
      'a placeholder must not be inside an element (between < and >), a comment or a style;',
    );
    expect(await rejectionOf({ [EMAIL.html]: '<style>p{color:{{title}}}</style>' })).toContain(
      'a placeholder must not be inside an element (between < and >), a comment or a style;',
    );
  });

  it('are rejected quickly if they are malicious', async () => {
    const began = performance.now();
    for (const piece of ['<', ' ', '{{', '{{title}}', '<img ', '=', '<a on'])
      await rejectionOf({ [EMAIL.html]: `<p a=${piece.repeat(20_000)}{{no}}` });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('that users define are filled in', async () => {
    const values = { [EMAIL.subject]: '[PKI] {{subjectDn}}', [EMAIL.text]: 'S/N {{ serialNumber }}, {{newStatus}}!' };
    const { uuid } = await createInstance(notifier, valuesFor(open.port, values));
    const { subject, text } = await preview(notifier, { uuid });
    expect(subject).toBe('[PKI] CN=www.example.com, O=Example');
    expect(text).toBe('S/N 0a17, !\n');
  });
});
