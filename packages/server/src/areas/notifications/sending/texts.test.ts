// Goal: every event of the interface has words that say what happened, on one line and bounded, whatever names hold.
import { ResourceEvent } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../deliveries/samples.ts';
import { textOf } from './texts.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('the words of events', () => {
  it.each(ResourceEvent.options)('%s has some, and none of them is a gap', (event) => {
    const text = textOf(event, sampleOf(event, now));
    expect(text?.message).toMatch(/\.$/);
    expect(`${text?.message} ${text?.detail}`).not.toMatch(/undefined|unknown|\[object/);
  });

  it('name a certificate by its common name, and say when it ends', () => {
    const data = { subjectDn: 'O=Shop\\, Inc, CN=shop.example', expiresAt: '2026-04-02T10:00:00Z' };
    expect(textOf('certificate_expiring', data)).toMatchObject({
      message: 'Certificate shop.example ends on 2026-04-02.',
    });
  });

  it('stay on one line and short with hostile names', () => {
    const text = textOf('discovery_finished', { discoveryName: `a\r\nBcc: x\u0000${'y'.repeat(5_000)}` });
    expect(text?.message).not.toMatch(/\p{Cc}/u);
    expect(text?.message.length).toBeLessThan(400);
  });

  it('are there for what is missing in the data', () => {
    for (const event of ResourceEvent.options) expect(textOf(event, {})?.message).toMatch(/\.$/);
    expect(textOf('audit_tampered', {})).toBeUndefined();
  });
});
