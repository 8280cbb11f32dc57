import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads `+ <group>` and `- <group>` lines until its input ends, which it does when the host is gone, however it went;
 * then it ends the groups that are left. Built-in commands only.
 */
const SCRIPT = `
groups=
while read -r sign group; do
  if [ "$sign" = + ]; then
    groups="$groups $group"
  else
    rest=
    for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
    groups=$rest
  fi
done
for one in $groups; do kill -9 "-$one"; done
`;

/**
 * Sees to it that process groups do not outlive this process. A child notices the end of its pipe by itself, but not
 * while its code blocks; so a tiny shell waits outside, in a session of its own where no signal for this process
 * reaches it. It is started with the first group and does not keep this process alive.
 *
 * @example
 * guard.watch(child.pid); child.once('exit', () => guard.forget(child.pid));
 */
export class ProcessGuard {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;

  watch(group: number): void {
    this.#groups.add(group);
    if (this.#shell === undefined) this.#start();
    else this.#shell.stdin?.write(`+ ${group}\n`);
  }

  forget(group: number): void {
    this.#groups.delete(group);
    this.#shell?.stdin?.write(`- ${group}\n`);
  }

  /** Lets the shell go, which ends the groups that are still watched; resolves when it is gone. */
  async close(): Promise<void> {
    const shell = this.#shell;
    this.#groups.clear();
    this.#shell = undefined;
    if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
    const gone = new Promise((resolve) => shell.once('exit', resolve));
    shell.ref();
    if (shell.stdin === null) shell.kill();
    else shell.stdin.end();
    await gone;
  }

  /** Without a shell, for want of resources or of `/bin/sh`, only children that block would be missed. */
  #start(): void {
    const shell = start();
    if (shell === undefined) return;
    this.#shell = shell;
    const onGone = (): void => {
      // The next group gets a new one, which is told of all.
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.once('error', onGone);
    shell.once('exit', onGone);
    for (const group of this.#groups) shell.stdin?.write(`+ ${group}\n`);
  }
}

function start(): ChildProcess | undefined {
  let shell: ChildProcess;
  try {
    shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
  } catch {
    return undefined;
  }
  shell.on('error', () => {});
  // Has no pipe when this process may open no more files.
  shell.stdin?.on('error', () => {});
  shell.unref();
  (shell.stdin as { unref?(): void } | undefined | null)?.unref?.();
  return shell;
}
