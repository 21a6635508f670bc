// CT log for the benchmark, in a separate process: many entries for a few certificates, some with a matching name.
import { createLoggedAuthority, startCtLog } from '@signetry/testkit/ct-log';

const authority = await createLoggedAuthority();
const others = Array.from({ length: 16 }, (_, at) => ({
  certificate: authority.issue(`www${at}.elsewhere.test`, `mail${at}.elsewhere.test`).certificate,
  chain: [authority.der],
}));
const wanted = { certificate: authority.issue('www.example.com').certificate, chain: [authority.der] };
const size = Number(process.argv[2]);
const log = await startCtLog(
  Array.from({ length: size }, (_, at) => (at % 1_000 === 0 ? wanted : (others[at % others.length] ?? wanted))),
);
process.send?.(log.url);
