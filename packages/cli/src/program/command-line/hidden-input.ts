// Reads a line without echo, for secrets. The terminal is in raw mode while the user types.
import { StringDecoder } from 'node:string_decoder';
import { Interruption, usageError } from '../failures.ts';

/** The subset of a terminal's input stream used here. */
export interface HiddenInput {
  setRawMode(raw: boolean): unknown;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  off(event: 'data', listener: (bytes: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface HiddenInputParts {
  readonly terminal: HiddenInput;
  readonly prompt: { write(text: string): unknown };
}

const ENTER = /[\r\n]/;
const [INTERRUPT, END, ERASE_LINE] = ['\u0003', '\u0004', '\u0015'];
const ERASE = /[\b\u007f]/;

/**
 * Prompts for a line without echo. Raw mode disables special keys, so Ctrl-C, Ctrl-D, Ctrl-U and backspace are handled
 * here.
 */
export function askHidden(question: string, { terminal, prompt }: HiddenInputParts): Promise<string> {
  const decoder = new StringDecoder('utf8');
  prompt.write(question);
  terminal.setRawMode(true);
  terminal.resume();
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const end = (finish: () => void): void => {
      terminal.off('data', handleInput);
      terminal.setRawMode(false);
      terminal.pause();
      prompt.write('\n');
      finish();
    };
    function handleInput(bytes: Buffer): void {
      for (const character of decoder.write(bytes)) {
        if (ENTER.test(character)) return end(() => resolve(typed.join('')));
        if (character === INTERRUPT) return end(() => reject(new Interruption()));
        if (character === END) return end(() => reject(usageError('The input ended before Enter was pressed.')));
        if (character === ERASE_LINE) typed = [];
        else if (ERASE.test(character)) typed.pop();
        else typed.push(character);
      }
    }
    terminal.on('data', handleInput);
  });
}
