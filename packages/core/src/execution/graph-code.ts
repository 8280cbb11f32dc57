import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { FailureReading } from './describe-failure.ts';
import { createStackMapper } from './map-stack.ts';
import { createMessageCleaner } from './message-cleaner.ts';
import { createModuleEvaluator, type ModuleEvaluator } from './module-evaluator.ts';
import { providedModules } from './provided-modules.ts';

/** A graph ready to be run in this process, and to be read when it fails. */
export interface GraphCode {
  readonly evaluator: ModuleEvaluator;
  readonly reading: FailureReading;
}

/** `previous`: code of the same folder, whose unchanged instances are taken over. */
export function createGraphCode(graph: Omit<ModuleGraph, 'digest'>, previous?: GraphCode): GraphCode {
  return {
    evaluator: createModuleEvaluator(graph, providedModules(), previous?.evaluator),
    reading: {
      stacks: createStackMapper(graph),
      clean: previous?.reading.clean ?? createMessageCleaner(graph.root),
    },
  };
}
