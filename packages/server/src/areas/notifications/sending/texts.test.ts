// Goal: every event of the interface has a message of bounded length on one line, even for names from hostile callers.
import { ResourceEvent } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../deliveries/samples.ts';
import { textOf } from './texts.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('event messages', () => {
  it.each(ResourceEvent.options)('exist for %s, and have no missing values', (event) => {
    const text = textOf(event, sampleOf(event, now));
    expect(text?.message).toMatch(/\.$/);
    expect(`${text?.message} ${text?.detail}`).not.toMatch(/undefined|unknown|\[object/);
  });

  it('name a certificate by its common name, and state when it expires', () => {
    const data = { subjectDn: 'O=Shop\\, Inc, CN=shop.example', expiresAt: '2026-04-02T10:00:00Z' };
    expect(textOf('certificate_expiring', data)).toMatchObject({
      message: 'Certificate shop.example expires on 2026-04-02.',
    });
  });

  it('name the object of an approval, or its kind if the object has been deleted', () => {
    const approval = {
      resource: 'certificates',
      resourceAction: 'issue',
      objectName: 'shop.example',
      status: 'APPROVED',
    };
    expect(textOf('approval_closed', approval)?.message).toBe(
      'Your request to issue certificate shop.example was approved.',
    );
    expect(textOf('approval_requested', { ...approval, creatorUsername: 'ann' })?.message).toBe(
      'Approval requested by ann: issue certificate shop.example.',
    );
    const { objectName: _deleted, ...deleted } = approval;
    expect(textOf('approval_closed', deleted)?.message).toBe('Your request to issue certificates was approved.');
  });

  it('remain short and on a single line, even with hostile names', () => {
    const text = textOf('discovery_finished', { discoveryName: `a\r\nBcc: x\u0000${'y'.repeat(5_000)}` });
    expect(text?.message).not.toMatch(/\p{Cc}/u);
    expect(text?.message.length).toBeLessThan(400);
  });

  it('are created even if data is missing', () => {
    for (const event of ResourceEvent.options) expect(textOf(event, {})?.message).toMatch(/\.$/);
    expect(textOf('audit_tampered', {})).toBeUndefined();
  });
});
