import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { showValue } from '../contracts/show-value.ts';
import { qualifiedName } from './qualified-name.ts';
import type { ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/** What providers of models accept as a name. */
const PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Reports the name of a folder that gives a plugin (`kind` undefined) or a capability its name, where models would not
 * accept it. `path` is the file or folder that is shown.
 */
export function checkFolderName(
  files: ScanFiles,
  path: string,
  kind: CapabilityKind | undefined,
  owner: Owner,
  name: string,
): void {
  const file = files.show(path);
  if (!PATTERN.test(name)) {
    const problem = scanProblem({
      code: 'INVALID_NAME',
      file,
      field: 'name',
      found: showValue(name),
      expected: PATTERN.source,
      message: 'scan.invalid-name',
      hint: 'scan.invalid-name-hint',
      values: { name: name.slice(0, 100) },
    });
    files.state.problems.push(problem);
    return;
  }
  if (kind === undefined) return;
  const qualified = qualifiedName(kind, owner, name);
  if (qualified.length <= 64 || ![...owner.plugin, owner.agent ?? '_', owner.skill ?? '_'].every(isAllowed)) return;
  const problem = scanProblem({
    code: 'NAME_TOO_LONG',
    file,
    field: 'name',
    found: qualified,
    expected: `≤ 64, ${qualified.length}`,
    message: 'scan.name-too-long',
    hint: 'scan.name-too-long-hint',
    values: { name: qualified, length: qualified.length },
  });
  files.state.problems.push(problem);
}

function isAllowed(name: string): boolean {
  return PATTERN.test(name);
}
