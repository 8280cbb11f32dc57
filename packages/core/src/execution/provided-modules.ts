import * as authoring from '../authoring/index.ts';
import { providedPackages } from '../contracts/provided-packages.ts';

/**
 * What plugin code gets for the packages that this runtime itself is: the running copy, whatever is installed beside
 * the plugin.
 */
export function providedModules(): ReadonlyMap<string, object> {
  return new Map([...providedPackages].map((name) => [name, authoring]));
}
