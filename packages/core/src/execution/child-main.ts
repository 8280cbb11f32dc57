import { flushCompileCache } from 'node:module';
import { openChildPipe } from './child-pipe.ts';
import { ChildSession } from './child-session.ts';
import { createSurroundings } from './surroundings.ts';

// What a tool process runs. `Child` starts it, with the root of its graph as argument and the pipe as descriptor 3.

const [, , root = process.cwd()] = process.argv;
const { pid } = process;
// Taken now: code of authors may replace them.
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);
const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => void };
const exitNow = reallyExit.bind(process);
let isCached = false;

const send = openChildPipe(
  3,
  (frame) => session.handle(frame),
  () => {
    // The host is gone: what tools started in this group must not outlive it either.
    kill(-pid, 'SIGKILL');
    exitNow(1);
  },
);
const session = new ChildSession({
  root,
  send,
  surroundings: createSurroundings(),
  exit: (code) => {
    exit(code);
    exitNow(code);
  },
  onAnswered: () => {
    if (isCached) return;
    isCached = true;
    // Written now, since this process is ended by a signal; nothing happens where the host keeps no such cache.
    flushCompileCache();
  },
});
process.on('uncaughtException', (error) => session.failUncaught(error));
process.on('unhandledRejection', (reason) => session.failUncaught(reason));

await send({ type: 'ready' });
