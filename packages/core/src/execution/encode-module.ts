import type { SourceModule } from '../contracts/module-graph.ts';
import { encodeFrame } from './encode-frame.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';

/**
 * The frame that brings a module to a child. A module that is too large for a frame goes without its source map; one
 * whose code alone is too large is left out, and whoever imports it learns so.
 */
export function encodeModule(module: SourceModule): Uint8Array {
  try {
    return encodeFrame({ type: 'module', module });
  } catch (error) {
    if (!(error instanceof FrameTooLargeError)) throw error;
    const { sourceMap, ...bare } = module;
    return sourceMap === undefined ? new Uint8Array() : encodeModule(bare);
  }
}
