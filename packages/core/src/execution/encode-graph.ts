import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { encodeFrame } from './encode-frame.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';

/**
 * A graph as the frames that bring it to a child, one for each module. A module that is too large for a frame goes
 * without its source map; one whose code alone is too large is left out, and whoever imports it learns so.
 */
export function encodeGraph(graph: ModuleGraph): Buffer {
  return Buffer.concat(graph.modules.map((module) => encodeModule(module)));
}

function encodeModule(module: SourceModule): Buffer {
  try {
    return encodeFrame({ type: 'module', module });
  } catch (error) {
    if (!(error instanceof FrameTooLargeError)) throw error;
    const { sourceMap, ...bare } = module;
    return sourceMap === undefined ? Buffer.alloc(0) : encodeModule(bare);
  }
}
