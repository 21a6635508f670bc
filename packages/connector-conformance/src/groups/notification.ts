// Notification providers: a message is actually sent, to a nonexistent address unless values specify a different one.
import { randomUUID } from 'node:crypto';
import { notificationProviderOperations as notification } from '@signetry/contract';
import { problemsOfDefinitions } from '../definitions.ts';
import { rejectionProblem } from '../rejections.ts';
import type { Scope } from '../scope.ts';
import { expect, isSuccess, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

const instances: InstanceKind = {
  noun: 'notification instance',
  one: 'a notification instance',
  list: notification.listNotificationInstances,
  create: notification.createNotificationInstance,
  get: notification.getNotificationInstance,
  update: notification.updateNotificationInstance,
  remove: notification.removeNotificationInstance,
  params: (uuid) => ({ uuid }),
};

/** The domain `.invalid` never exists (RFC 2606 §2). */
const NOBODY = 'conformance@nobody.invalid';

export async function checkNotificationProvider(scope: Scope): Promise<void> {
  const { session, kind } = scope;
  const instance = await checkInstances(scope, instances);
  await scope.check('returns the recipient attributes that it uses', async () => {
    const problems = problemsOfDefinitions(await session.ask(notification.listMappingAttributes, { params: { kind } }));
    expect(problems.length === 0, problems.join(' '), 'well-formed definitions');
    await session.refused(notification.listMappingAttributes, { params: { kind: 'NoSuchKind' } }, [404]);
  });
  if (instance) await checkSending(scope, instance.params);
  await checkRemoval(scope, instances, instance);
}

const body = {
  recipients: [{ name: 'Conformance check', email: NOBODY }],
  eventType: 'certificate_status_changed',
  event: 'certificate_status_changed',
  resource: 'certificates',
  notificationData: { subjectDn: 'CN=www.example.com', oldStatus: 'valid', newStatus: 'expiring' },
};

async function checkSending(scope: Scope, params: Call['params'] & object): Promise<void> {
  const { session } = scope;
  await scope.check('sends a message, or returns an error message', async () => {
    const reply = await session.exchange(scope.requestOf(notification.sendNotification, { params, body }));
    if (isSuccess(reply)) return;
    const problem = rejectionProblem(reply);
    expect(
      reply.status !== 500 && reply.status !== 404,
      `The connector returned ${reply.status}.`,
      '204, or a rejection',
    );
    expect(problem === undefined, `The rejection ${problem}.`, '204, or a rejection with an error message');
  });
  await scope.check('returns 404 when sending from an instance that does not exist', () =>
    session.refused(notification.sendNotification, { params: { uuid: randomUUID() }, body }, [404]),
  );
  await scope.check('accepts a message twice with the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const call = { params, body, idempotencyKey: randomUUID() };
    const first = await session.exchange(scope.requestOf(notification.sendNotification, call));
    if (!isSuccess(first)) throw scope.lacking('The connector cannot send the message.');
    await session.ask(notification.sendNotification, call);
  });
  await scope.check('returns a preview of a message', async () => {
    scope.need(notification.previewNotification);
    const {
      subject,
      text,
      html,
      body: content,
    } = await session.ask(notification.previewNotification, { params, body });
    const shown = [subject, text, html, content].filter((part) => part !== undefined && part !== '');
    expect(shown.length > 0, 'The preview is empty.', 'a subject, text, HTML or a body');
    await session.refused(notification.previewNotification, { params: { uuid: randomUUID() }, body }, [404]);
  });
}
