import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A project in a fresh temporary folder, removed when it is disposed of. */
export interface TemporaryProject extends AsyncDisposable {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** Writes files by their path below the project, folders made as needed. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Makes a project for a test.
 *
 * @example
 * await using project = await createProject({ 'tools/greet/index.ts': "export default …" });
 * const runtime = await createRuntime({ project: project.root });
 */
export async function createProject(files: Readonly<Record<string, string>> = {}): Promise<TemporaryProject> {
  const root = await mkdtemp(join(tmpdir(), 'baigong-project-'));
  const write = async (more: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(more)) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  };
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await write(files);
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, write, remove, [Symbol.asyncDispose]: remove };
}
