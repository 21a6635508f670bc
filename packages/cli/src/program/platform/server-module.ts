// What the command line asks of the server package, which is loaded only by the commands that run a server here.
import type { Environment } from '../context.ts';
