import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Interruption } from '../failures.ts';
import { askHidden, type HiddenInput } from './hidden-input.ts';

/** Fake terminal input that records its mode changes. */
class Terminal extends EventEmitter implements HiddenInput {
  modes: boolean[] = [];
  setRawMode(raw: boolean): void {
    this.modes.push(raw);
  }
  resume(): void {
    this.modes.push(true);
  }
  pause(): void {
    this.modes.push(false);
  }
}

function type(...chunks: (string | Buffer)[]) {
  const terminal = new Terminal();
  const written: string[] = [];
  const asked = askHidden('Code: ', { terminal, prompt: { write: (text) => written.push(text) } });
  for (const chunk of chunks) terminal.emit('data', Buffer.from(chunk));
  return { asked, terminal, written };
}

describe('hidden input', () => {
  it('is read until Enter is pressed, without being echoed', async () => {
    const { asked, terminal, written } = type('s3', 'cret', '\r');
    expect(await asked).toBe('s3cret');
    expect(written).toEqual(['Code: ', '\n']);
    expect(terminal.modes).toEqual([true, true, false, false]);
    expect(terminal.listenerCount('data')).toBe(0);
  });

  it.each([
    ['backspace takes one character back', ['ab\u007fc😀\u007f\r'], 'ac'],
    ['Ctrl-U takes all of them back', ['wrong\u0015right\r'], 'right'],
    ['characters may come in pieces', [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), '\n'], 'é'],
  ])('%s', async (_, chunks, expected) => {
    expect(await type(...chunks).asked).toBe(expected);
  });

  it('is aborted by Ctrl-C or Ctrl-D, which also restores the terminal mode', async () => {
    const { asked, terminal } = type('half\u0003');
    await expect(asked).rejects.toBeInstanceOf(Interruption);
    expect(terminal.modes.at(-1)).toBe(false);
    await expect(type('half\u0004').asked).rejects.toThrow('before Enter');
  });
});
