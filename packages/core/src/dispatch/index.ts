export { createDispatch } from './create-dispatch.ts';
