export { createDispatch, type DispatchOptions } from './create-dispatch.ts';
