// A headless browser: stores each host's cookies and follows redirects.
import { send, type RawResponse } from './raw-request.ts';

export type Browser = ReturnType<typeof openBrowser>;

export function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  async function visit(address: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
    const { origin, pathname, search } = new URL(address);
    const jar = jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(origin, pathname + search, { headers: { ...(cookie ? { cookie } : {}), ...headers } });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      const isGone =
        value.join('=') === '' || attributes.some((each) => /max-age=0|expires=thu, 01 jan 1970/i.test(each));
      if (isGone) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return answer;
  }

  /** Follows redirects until a page is shown or `stopAt` matches the next URL. */
  async function follow(start: string, stopAt: (address: string) => boolean = () => false) {
    let address = start;
    for (let hop = 0; hop < 12; hop += 1) {
      const answer = await visit(address);
      const { location } = answer.headers;
      if (location === undefined) return { address, answer };
      address = new URL(location, address).href;
      if (stopAt(address)) return { address, answer };
    }
    throw new Error(`The browser is led round in circles, at last to ${address}.`);
  }

  return {
    visit,
    follow,
    cookies: (origin: string): ReadonlyMap<string, string> => jarOf(origin),
    plant: (origin: string, name: string, value: string) => void jarOf(origin).set(name, value),
  };
}
