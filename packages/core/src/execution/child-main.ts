import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import type { ChildFrame, HostFrame } from '../contracts/frame.ts';
import { ChildSession } from './child-session.ts';
import { readFrames } from './frame-reader.ts';
import { createFrameWriter } from './frame-writer.ts';

// What a tool process runs. `Child` starts it, with the root of its graph as argument and the pipe as descriptor 3.

const [, , root = process.cwd()] = process.argv;
const pipe = new Socket({ fd: 3, readable: true, writable: true });
pipe.on('error', () => {});
const send = createFrameWriter<ChildFrame>(pipe);
let isCached = false;
const session = new ChildSession({
  root,
  send,
  exit: (code) => process.exit(code),
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
await readFrames(pipe, (frame) => session.handle(frame as HostFrame));
// The host is gone: what tools started in this group must not outlive it either.
process.kill(-process.pid, 'SIGKILL');
