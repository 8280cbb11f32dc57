/** What of a process its code may change for everything that runs in it later. */
export interface Surroundings {
  /** Puts back what was changed since. Never throws. */
  restore(): void;
}

/**
 * Remembers the working folder and the file mode mask of this process as they are now.
 *
 * @example
 * const surroundings = createSurroundings();
 * process.chdir('/');
 * surroundings.restore();
 */
export function createSurroundings(): Surroundings {
  const cwd = process.cwd.bind(process);
  const chdir = process.chdir.bind(process);
  const umask = process.umask.bind(process);
  const folder = cwd();
  const mask = umask();

  const isElsewhere = (): boolean => {
    try {
      return cwd() !== folder;
    } catch {
      return true;
    }
  };

  return {
    restore() {
      try {
        if (umask() !== mask) umask(mask);
        if (isElsewhere()) chdir(folder);
      } catch {
        // The folder was removed; whoever needs it will say so.
      }
    },
  };
}
