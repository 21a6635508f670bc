import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const event = (position: number) => ({
  position,
  uuid: '00000000-0000-7000-8000-000000000001',
  event: 'certificate_discovered',
  resource: 'certificates',
  objectUuid: '00000000-0000-7000-8000-0000000000aa',
  raisedAt: '2026-11-20T11:00:00.000Z',
  data: { subjectDn: 'CN=found' },
});

describe('events', () => {
  it('shows the events after a position, page by page, up to the newest', async () => {
    const pages = [
      { events: [], position: 9, oldestKept: 1 },
      { events: [event(4)], position: 6, oldestKept: 1 },
      { events: [event(9)], position: 9, oldestKept: 1 },
    ];
    const reply = () => ({ body: pages.shift() ?? expect.fail('asked once too often') });
    const { code, out } = await ask({ 'GET /x/v1/events': reply }, ['events', '--after', '3']);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(
      '4  2026-11-20T11:00:00.000Z  certificate_discovered  certificates 00000000-0000-7000-8000-0000000000aa  CN=found',
    );
    expect(out).toMatch(/^9 {2}/m);
    expect(pages).toEqual([]);
  });

  it('prints each event as one line of JSON, and rejects an invalid position', async () => {
    const reply = () => ({ body: { events: [event(4)], position: 4, oldestKept: 1 } });
    const { out } = await ask({ 'GET /x/v1/events': reply }, ['events', '--after', '3', '--json']);
    expect(JSON.parse(out)).toEqual(event(4));
    expect(await ask({}, ['events', '--after', 'x'])).toMatchObject({ code: 2 });
  });
});
